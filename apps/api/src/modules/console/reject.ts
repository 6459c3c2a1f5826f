import { ApiError } from "../../http/api-error.ts";
import type { Problem } from "./flash-messages.ts";
import type { FormResult } from "./page-requests.ts";

/**
 * Runs an action. If it rejects a value (400), returns to the form with the problem and the typed values.
 *
 * @param form where to return to, with the values
 * @param problemOf returns the problem of an error
 */
export async function rejectable(
  form: FormResult,
  problemOf: (error: ApiError) => Problem,
  act: () => Promise<FormResult>,
): Promise<FormResult> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { ...form, problems: [problemOf(error)] };
    throw error;
  }
}
