/** Where the pages are. Forms lead to these alone, so nobody can be sent elsewhere. */
export const appsAddress = "/account/apps";
export const clientsAddress = "/account/clients";

export function clientAddress(clientId: string): string {
  return `${clientsAddress}/${encodeURIComponent(clientId)}`;
}
