/** The dialog in which readers send requests: a form made of the schema, the request as code, and the response. */

import { type Contract, isForBrowsers, type Operation } from "../../../calls.ts";
import { addressOf } from "../../../sample-parts.ts";
import { listOperations, type PathOperation, type SiteContract } from "../../contract.ts";
import { element } from "../element.ts";
import { createAccess } from "./access.ts";
import { loadContract } from "./contract.ts";
import { createRequestOutput, showResponse } from "./output.ts";
import { createRequestForm, type RequestForm } from "./request-form.ts";
import { send } from "./send.ts";
import { createSuggestions, type Suggestions } from "./suggestions.ts";

interface DialogRequest {
  readonly clientId: string;
  readonly operationId: string;
  /** Type of the event to send, on the page of an event. */
  readonly eventType: string | undefined;
}

/** Opens the dialog. The reader can change to another operation without signing in again. */
export async function openDialog({ clientId, operationId, eventType }: DialogRequest): Promise<void> {
  const contract = await loadContract();
  opened ??= createDialog(contract, clientId);
  opened.show(operationId, eventType);
}

let opened: ReturnType<typeof createDialog> | undefined;

function createDialog(contract: SiteContract, clientId: string) {
  const operations = listOperations(contract);
  let current: PathOperation | undefined;
  let form: RequestForm | undefined;
  let suggestions: Suggestions | undefined;
  /** Type of the event, if the dialog was opened on the page of an event. */
  let eventType: string | undefined;
  /** Aborts the request in flight. */
  let sending = new AbortController();

  const select = element("select", { id: "try-operation" }, ...operationGroups(operations));
  const close = element("button", { type: "button", class: "button" }, "Close");
  const access = createAccess(clientId, () => void fillIds());
  const fields = element("div", { class: "stack" });
  const submit = element("button", { class: "button primary" });
  const request = createRequestOutput();
  const response = element("div", { role: "region", "aria-label": "Response", "aria-live": "polite" });
  const notice = element("div");
  const formElement = element("form", {}, notice, fields, element("div", { class: "try-it-submit" }, submit));
  const responseHeading = element("h3", {}, "Response");
  const output = element(
    "div",
    { class: "try-it-output" },
    element("h3", {}, "Request"),
    request.element,
    responseHeading,
    response,
  );
  const dialog = element(
    "dialog",
    { class: "try-it", "aria-label": "Try it" },
    element(
      "div",
      { class: "try-it-head" },
      element("div", { class: "field" }, element("label", { for: select.id }, "Operation"), select),
      close,
    ),
    element(
      "div",
      { class: "try-it-columns" },
      element("div", { class: "stack" }, access.element, formElement),
      output,
    ),
  );
  document.body.append(dialog);

  close.addEventListener("click", () => dialog.close());
  select.addEventListener("change", () => choose(select.value));
  formElement.addEventListener("input", updateRequest);
  formElement.addEventListener("submit", (event) => {
    event.preventDefault();
    void submitForm();
  });

  return {
    show(operationId: string, ofEvent: string | undefined) {
      eventType = ofEvent;
      choose(operationId);
      dialog.showModal();
    },
  };

  function choose(operationId: string): void {
    sending.abort();
    current = operations.find(({ operation }) => operation.operationId === operationId);
    if (!current) throw new Error(`No operation ${operationId}`);
    select.value = operationId;
    suggestions = createSuggestions(contract, current);
    form = createRequestForm(contract, current, suggestions.add, exampleOf(operationId));
    fields.replaceChildren(...form.elements);
    notice.replaceChildren();
    submit.disabled = false;
    submit.textContent = isPage() ? "Open in a new window" : `Send ${current.method} request`;
    showText("No request was sent yet.");
    for (const column of [output, formElement.parentElement]) column?.scrollTo(0, 0);
    access.show(current);
    updateRequest();
    void fillIds();
  }

  function updateRequest(): void {
    if (form) request.show(form.read(), isPage());
  }

  /** Returns members of the body that replace those of the contract's example, on the page of an event. */
  function exampleOf(operationId: string): object | undefined {
    if (eventType === undefined) return undefined;
    if (operationId === "testWebhookSubscription") return { event_type: eventType };
    return operationId === "createWebhookSubscription" ? { event_types: [eventType] } : undefined;
  }

  async function fillIds(): Promise<void> {
    const shown = suggestions;
    const empty = (await shown?.fill()) ?? [];
    if (shown !== suggestions) return;
    updateRequest();
    if (!empty.includes("/api/v1/webhooks")) return notice.replaceChildren();
    const button = element("button", { type: "button", class: "button" }, "Create a webhook subscription");
    button.addEventListener("click", () => choose("createWebhookSubscription"));
    const text = element("p", {}, "Your organization has no webhook subscription yet.");
    notice.replaceChildren(element("div", { class: "warning stack" }, text, button));
  }

  function showText(text: string, kind = "quiet"): void {
    response.replaceChildren(element("p", { class: kind }, text));
  }

  async function submitForm(): Promise<void> {
    if (!form) return;
    const call = form.read();
    if (isPage()) {
      open(addressOf(call, location.origin), "_blank", "noopener");
      return;
    }
    sending = new AbortController();
    const { signal } = sending;
    submit.disabled = true; // A second click must not send a change twice.
    showText("Waiting for the response …");
    try {
      const received = await send(call, await access.token(), signal);
      if (signal.aborted) return;
      response.replaceChildren(showResponse(received));
      if (received.status === 401) access.expire();
    } catch (error) {
      if (signal.aborted) return;
      showText(
        error instanceof TypeError ? `No response: ${error.message}.` : (error as Error).message,
        "alert",
      );
    }
    submit.disabled = false;
    responseHeading.scrollIntoView({ block: "start" });
  }

  /** Whether the current operation is a page that the reader opens. */
  function isPage(): boolean {
    return (
      current !== undefined && isForBrowsers(contract as unknown as Contract, current.operation as Operation)
    );
  }
}

/** Returns the options of all operations, grouped by tag. */
function operationGroups(operations: PathOperation[]): HTMLElement[] {
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? ""))];
  return tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags[0] === tag);
    const options = own.map(({ operation, method, path }) =>
      element("option", { value: operation.operationId }, `${operation.summary} (${method} ${path})`),
    );
    return element("optgroup", { label: tag }, ...options);
  });
}
