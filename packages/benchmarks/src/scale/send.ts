/** Sends a request as JSON. */
export function send(
  url: string,
  method: string,
  path: string,
  token: string,
  body?: object,
  headers?: object,
): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}
