import { expect, test } from "vitest";
import { refuseTargetUrl } from "./target-url.ts";

const strict = { allowLoopback: false };
const https = "must be an https URL";
const blocked = "must not point to a private, local or reserved address";

test.each([
  ["https://hooks.example.com/parley?x=1", null],
  ["https://hooks.example.com:8443/", null],
  ["https://8.8.8.8/", null],
  ["https://[2606:4700:4700::1111]/", null],
  ["http://hooks.example.com/", https],
  ["ftp://hooks.example.com/", https],
  ["javascript:alert(1)", "must be an absolute URL"],
  ["https:example.com", "must be an absolute URL"],
  ["https://@example.com/", "must not hold credentials"],
  ["/relative", "must be an absolute URL"],
  ["https://", "must be an absolute URL"],
  ["https://user:pass@example.com/", "must not hold credentials"],
  ["https://example.com/#part", "must not have a fragment"],
  ["https://example.com/#", "must not have a fragment"],
  ["https://127.0.0.1/", blocked],
  ["https://127.1/", blocked],
  ["https://2130706433/", blocked],
  ["https://0x7f.1/", blocked],
  ["https://0177.0.0.1/", blocked],
  ["https://0.0.0.0/", blocked],
  ["https://localhost/", blocked],
  ["https://a.localhost./", blocked],
  ["https://[::1]/", blocked],
  ["https://[::]/", blocked],
  ["https://[::ffff:127.0.0.1]/", blocked],
  ["https://[::ffff:10.0.0.1]/", blocked],
  ["https://10.1.2.3/", blocked],
  ["https://172.16.0.1/", blocked],
  ["https://192.168.1.1/", blocked],
  ["https://169.254.169.254/latest/meta-data", blocked],
  ["https://100.64.0.1/", blocked],
  ["https://[fe80::1]/", blocked],
  ["https://[fd00::1]/", blocked],
  ["https://224.0.0.1/", blocked],
  ["https://255.255.255.255/", blocked],
])("%s", (url, problem) => {
  expect(refuseTargetUrl(url, strict)).toBe(problem);
});

test("loopback can be allowed, over http too; nothing else is", () => {
  const lenient = { allowLoopback: true };
  for (const url of ["http://127.0.0.1:9000/", "http://localhost:9000/", "https://[::1]/"]) {
    expect(refuseTargetUrl(url, lenient)).toBeNull();
  }
  expect(refuseTargetUrl("http://example.com/", lenient)).toBe(https);
  expect(refuseTargetUrl("https://10.0.0.1/", lenient)).toBe(blocked);
});
