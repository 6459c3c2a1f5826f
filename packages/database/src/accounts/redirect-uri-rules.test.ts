import { expect, test } from "vitest";
import { checkRedirectUris } from "./redirect-uri-rules.ts";

test.each([
  "https://app.example.com/callback",
  "https://app.example.com",
  "https://app.example.com:8443/callback?tenant=7&a=%20",
  "https://xn--bcher-kva.example/",
  "https://127.0.0.1/callback",
  "http://127.0.0.1/callback",
  "http://127.0.0.1:53682",
  "http://[::1]:3000/callback",
  "http://localhost?x=1",
  "com.example.app:/callback",
  "com.example.app://callback",
  "io.github.some-app:callback",
  "https://app.example.com?tenant=7",
  "https://app.example.com/callback?codes=1&my-state=2",
])("accepts %s", (uri) => expect(checkRedirectUris([uri])).toBeUndefined());

test.each([
  ["", "percent-encoded"],
  ["/callback", "must be absolute"],
  ["app.example.com/callback", "must be absolute"],
  ["https://app.example.com/callback#here", "fragment"],
  ["https://app.example.com/#", "fragment"],
  ["https://user@app.example.com/", "user name"],
  ["https://user:word@app.example.com/", "user name"],
  ["https://@app.example.com/", "user name"],
  ["com.example.app://user@callback", "user name"],
  ["HTTPS://app.example.com/", "https: in lower case"],
  ["http://app.example.com/", "must use https"],
  ["http://127.0.0.2/", "must use https"],
  ["http://localhost.example.com/", "must use https"],
  ["http://127.0.0.1.example.com/", "must use https"],
  ["http://0.0.0.0/", "must use https"],
  ["http://127.0.0.1:99999/", "not a valid address"],
  ["https:app.example.com", "not a valid address"],
  ["https:///app.example.com", "not a valid address"],
  ["https://", "not a valid address"],
  ["https://*.example.com/", "wildcard"],
  ["https:\\\\app.example.com", "percent-encoded"],
  ["https://app.example.com/a b", "percent-encoded"],
  ["https://app.example.com/ü", "percent-encoded"],
  ["https://app.example.com/\r\nx: y", "percent-encoded"],
  ["https://app.example.com/callback?iss=https://evil.example", "the parameter iss"],
  ["https://app.example.com/callback?a=1&code=x", "the parameter code"],
  ["https://app.example.com/callback?state", "the parameter state"],
  ["https://app.example.com/callback?err%6Fr=x", "the parameter error"],
  ["com.example.app:/callback?error_description=x", "the parameter error_description"],
  ["https://app.example.com/cb/../x", "normalized form: https://app.example.com/x"],
  ["https://app.example.com/cb/%2e/x", "normalized form: https://app.example.com/cb/x"],
  ["https://App.example.com/cb", "normalized form: https://app.example.com/cb"],
  ["https://app.example.com:443/cb", "normalized form: https://app.example.com/cb"],
  ["https://app.example.com:0443/cb", "normalized form: https://app.example.com/cb"],
  ["https://0x7f.1/cb", "normalized form: https://127.0.0.1/cb"],
  ["https://app.example.com/cb?a='", "normalized form: https://app.example.com/cb?a=%27"],
  ["http://127.0.0.1:80/cb", "normalized form: http://127.0.0.1/cb"],
  ["http://127.0.0.1:0/cb", "port 0"],
  ["com.example.app:/cb/../x", "normalized form: com.example.app:/x"],
  ["javascript:alert(1)//.", "must begin with https://"],
  ["data:text/html,x", "must begin with https://"],
  ["myapp://callback", "com.example.app:/"],
  ["file:///etc/passwd", "must begin with https://"],
  ["ftp://example.com/", "must begin with https://"],
  [`https://app.example.com/${"x".repeat(2048)}`, "at most 2048"],
])("rejects %j", (uri, message) => {
  expect(checkRedirectUris([uri])).toEqual({
    field: "redirectUri",
    message: expect.stringContaining(message),
  });
});

test("requires 1 to 20 redirect URIs, and names the invalid one", () => {
  expect(checkRedirectUris([])?.message).toContain("At least one");
  const many = Array.from({ length: 21 }, (_, index) => `https://app.example.com/${index}`);
  expect(checkRedirectUris(many)?.message).toContain("20");
  expect(checkRedirectUris(["https://a.example/", "http://b.example/"])?.message).toContain(
    "http://b.example/",
  );
});
