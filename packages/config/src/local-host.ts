/** Checks whether a host is this machine: loopback, `localhost` or the folder of a Unix socket. */
export function isLocalHost(host: string): boolean {
  return /^(localhost|127\.[\d.]+|\[?::1\]?|\/.*)$/.test(host);
}
