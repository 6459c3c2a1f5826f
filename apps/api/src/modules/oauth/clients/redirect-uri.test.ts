import { describe, expect, test } from "vitest";
import { describeTarget, isRegistered, withParameters } from "./redirect-uri.ts";

describe("isRegistered", () => {
  const registered = [
    "https://app.example.com/callback?a=1",
    "http://127.0.0.1/callback",
    "http://localhost:3000",
    "http://[::1]/callback?x=1",
    "com.example.app:/callback",
    "https://app.example.com/with#fragment",
    "http://app.example.com:80/callback",
  ];

  test.each([
    "https://app.example.com/callback?a=1",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:1/callback",
    "http://127.0.0.1:65535/callback",
    "http://localhost",
    "http://localhost:4000",
    "http://[::1]:4000/callback?x=1",
    "com.example.app:/callback",
  ])("accepts %s", (uri) => expect(isRegistered(uri, registered)).toBe(true));

  test.each([
    "https://app.example.com/callback",
    "https://app.example.com/callback?a=1&b=2",
    "https://app.example.com/callback/?a=1",
    "https://APP.example.com/callback?a=1",
    "https://app.example.com:443/callback?a=1",
    "https://app.example.com/%63allback?a=1",
    "https://app.example.com/x/../callback?a=1",
    "http://app.example.com:8080/callback",
    "https://127.0.0.1/callback",
    "http://127.0.0.2/callback",
    "http://127.0.0.1:65536/callback",
    "http://127.0.0.1:/callback",
    "http://127.0.0.1/callback/more",
    "http://127.0.0.1:80@evil.example.com/callback",
    "http://127.0.0.1.evil.example.com/callback",
    "http://localhost@evil.example.com",
    "http://localhost.evil.example.com:3000",
    "http://localhost:3000/",
    "http://127.0.0.1/callback#fragment",
    "https://app.example.com/with#fragment",
    "http://127.0.0.1/callback\r\nx: y",
    "com.example.app://callback",
    "",
  ])("rejects %j", (uri) => expect(isRegistered(uri, registered)).toBe(false));
});

test.each([
  ["https://a.example/cb", "https://a.example/cb?code=x+y"],
  ["https://a.example/cb?", "https://a.example/cb?code=x+y"],
  ["https://a.example/cb?q=%20", "https://a.example/cb?q=%20&code=x+y"],
  ["com.example.app:/cb", "com.example.app:/cb?code=x+y"],
])("withParameters keeps %s", (uri, expected) => {
  expect(withParameters(uri, { code: "x y", state: undefined })).toBe(expected);
});

test.each([
  ["https://app.example.com/callback", "app.example.com"],
  ["http://127.0.0.1:5000/callback", "an app on this device (127.0.0.1:5000)"],
  ["com.example.app:/callback", "an app on this device (com.example.app:)"],
])("describeTarget describes %s", (uri, message) => expect(describeTarget(uri)).toBe(message));
