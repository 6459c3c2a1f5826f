import { alert, type Html, html, notice, secretBox } from "@parley/ui";
import type { FlashMessage } from "../flash-messages.ts";

/** Renders the confirmation of the last form. */
export function confirmation({ done }: FlashMessage): Html {
  return html`${done !== undefined && notice(done)}`;
}

/** Renders a new secret, which is shown only once. */
export function newSecret(title: string, { secret }: FlashMessage): Html {
  return html`${secret !== undefined && secretBox({ id: "new-secret", title, secret })}`;
}

/** Renders the reason why a form was rejected, if the reason does not belong to a single input. */
export function problem(name: string, message: FlashMessage): Html {
  const text = problemOf(name, message);
  return html`${text !== undefined && alert(text)}`;
}

/** Returns the reason why the value of a field was rejected; undefined if it was not. */
export function problemOf(name: string, { problems = [] }: FlashMessage): string | undefined {
  return problems.find((one) => one.field === name)?.message;
}
