import { element } from "../element.ts";

/**
 * Adds a button to the page of an operation or event that opens the form for requests. Without a client for it
 * (`DOCS_CLIENT_ID`), there is no button.
 */
export function addTryIt(): void {
  const { tryItClient: clientId } = document.documentElement.dataset;
  const place = document.getElementById("try-it");
  if (!place || !clientId || clientId === "off") return;
  const { operation: operationId = "", eventType } = place.dataset;
  const label = eventType ? "Send this event to my subscription" : "Try it";
  const button = element("button", { type: "button", class: "button primary" }, label);
  const problem = element("p", { role: "alert" });
  button.addEventListener("click", () => {
    import("./dialog.ts")
      .then(({ openDialog }) => openDialog({ clientId, operationId, eventType }))
      .then(
        () => problem.replaceChildren(),
        () => problem.replaceChildren("The form could not be loaded. Reload the page, and try again."),
      );
  });
  place.append(button, problem);
}
