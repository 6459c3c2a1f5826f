/** The dialog in which readers send requests: a form made of the schema, the request as code, and the response. */

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

  const select = element("select", { id: "try-operation" }, ...operationGroups(operations));
  const close = element("button", { type: "button", class: "button" }, "Close");
  const access = createAccess(clientId, () => void fillIds());
  const fields = element("div", { class: "stack" });
  const submit = element("button", { class: "button primary" });
  const request = createRequestOutput();
  const response = element("div", { role: "region", "aria-label": "Response", "aria-live": "polite" });
  const formElement = element("form", {}, fields, element("div", { class: "try-it-submit" }, submit));
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
    show(operationId: string, eventType: string | undefined) {
      choose(operationId, eventType && { event_type: eventType });
      dialog.showModal();
    },
  };

  /** @param body values that replace the example of the body */
  function choose(operationId: string, body?: unknown): void {
    current = operations.find(({ operation }) => operation.operationId === operationId);
    if (!current) throw new Error(`No operation ${operationId}`);
    select.value = operationId;
    suggestions = createSuggestions(contract, current);
    form = createRequestForm(contract, current, suggestions.add, body);
    fields.replaceChildren(...form.elements);
    submit.textContent = isForBrowsers() ? "Open in a new window" : `Send ${current.method} request`;
    response.replaceChildren(element("p", { class: "quiet" }, "No request was sent yet."));
    for (const column of [output, formElement.parentElement]) column?.scrollTo(0, 0);
    access.show(current);
    updateRequest();
    void fillIds();
  }

  function updateRequest(): void {
    if (form) request.show(form.read(), isForBrowsers());
  }

  async function fillIds(): Promise<void> {
    await suggestions?.fill();
    updateRequest();
  }

  async function submitForm(): Promise<void> {
    if (!form) return;
    const call = form.read();
    if (isForBrowsers()) {
      open(addressOf(call, location.origin), "_blank", "noopener");
      return;
    }
    submit.disabled = true;
    response.setAttribute("aria-busy", "true");
    try {
      const received = await send(call, await access.token());
      response.replaceChildren(showResponse(received));
      if (received.status === 401) access.expire();
    } catch (error) {
      const text = error instanceof TypeError ? `No response: ${error.message}.` : (error as Error).message;
      response.replaceChildren(element("p", { class: "alert" }, text));
    }
    submit.disabled = false;
    response.removeAttribute("aria-busy");
    responseHeading.scrollIntoView({ block: "start" });
  }

  /** Whether the response is a page for a browser, not for a program. */
  function isForBrowsers(): boolean {
    return current !== undefined && current.operation.operationId === "authorize";
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
