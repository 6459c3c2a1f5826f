/** Paths of the pages. Forms redirect only to these paths, so that they are no open redirectors. */
export const overviewAddress = "/console";
export const sessionAddress = "/console/session";
export const linkAddress = "/console/link";
export const webhooksAddress = "/console/webhooks";
export const deliveriesAddress = "/console/deliveries";
export const eventsAddress = "/console/events";
export const eventTypesAddress = "/console/event-types";
export const requestsAddress = "/console/requests";
export const appsAddress = "/console/apps";
export const clientsAddress = "/console/clients";
export const auditLogAddress = "/console/audit-log";
export const usageAddress = "/console/usage";

export function clientAddress(clientId: string): string {
  return `${clientsAddress}/${encodeURIComponent(clientId)}`;
}

export function webhookAddress(id: string): string {
  return `${webhooksAddress}/${encodeURIComponent(id)}`;
}

export function deliveryAddress({ subscriptionId, id }: { subscriptionId: string; id: string }): string {
  return `${webhookAddress(subscriptionId)}/deliveries/${encodeURIComponent(id)}`;
}

export function eventAddress(id: string): string {
  return `${eventsAddress}/${encodeURIComponent(id)}`;
}

export function eventTypeAddress(type: string): string {
  return `${eventTypesAddress}/${encodeURIComponent(type)}`;
}

/** Adds a query to an address, without undefined and empty values. */
export function withQuery(address: string, query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `${address}?${new URLSearchParams(given)}` : address;
}

/** Addresses that are no page to return to. */
const noPages = [sessionAddress, linkAddress];

/** Returns the path and query of a page of the console; undefined for any other text. */
export function findPageOfConsole(text: string): string | undefined {
  const url = URL.parse(text, "http://console.invalid");
  const isPage = url?.origin === "http://console.invalid" && /^\/console(?:\/|$)/.test(url.pathname);
  return isPage && !noPages.includes(url.pathname) ? url.pathname + url.search : undefined;
}

/** Returns the path and query of a page of the console, or its first page for any other text. */
export function pageOfConsole(text: string): string {
  return findPageOfConsole(text) ?? overviewAddress;
}
