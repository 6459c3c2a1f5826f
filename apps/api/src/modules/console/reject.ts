import { ApiError } from "../../http/api-error.ts";
import type { Problem } from "./flash-messages.ts";
import type { FormResult } from "./page-requests.ts";

/**
 * Runs an action. If it rejects a value, returns to the form with the problems and the typed values.
 *
 * @param form where to return to, with the values
 * @param problemsOf returns the problems of an error; undefined for an error that rejects no value
 */
export async function rejectable(
  form: FormResult,
  problemsOf: (error: unknown) => Problem[] | undefined,
  act: () => Promise<FormResult>,
): Promise<FormResult> {
  try {
    return await act();
  } catch (error) {
    const problems = problemsOf(error);
    if (problems) return { ...form, problems };
    throw error;
  }
}

/** Returns a function for `rejectable` that finds the problem of an API error with status 400. */
export function rejectedBy(problemOf: (error: ApiError) => Problem) {
  return (error: unknown) =>
    error instanceof ApiError && error.status === 400 ? [problemOf(error)] : undefined;
}
