/** Paths of the pages. Forms redirect only to these paths, so that they are no open redirectors. */
export const appsAddress = "/account/apps";
export const clientsAddress = "/account/clients";

export function clientAddress(clientId: string): string {
  return `${clientsAddress}/${encodeURIComponent(clientId)}`;
}
