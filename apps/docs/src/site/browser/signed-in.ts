/** Script of the page to which the authorization page redirects. */
import { redirectChannel } from "./try-it/redirect-channel.ts";

new BroadcastChannel(redirectChannel).postMessage(location.href);
// The code works once and only with the verifier, but it need not stay in the address.
history.replaceState(null, "", location.pathname);
