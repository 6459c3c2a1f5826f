/** Whether standard output shows colors: on a terminal, unless NO_COLOR is set (https://no-color.org). */
function hasColors(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return !/^(0|false)$/.test(FORCE_COLOR);
  return process.stdout.isTTY && TERM !== "dumb";
}

function colored(code: number, text: string): string {
  return hasColors() ? `\u001b[${code}m${text}\u001b[0m` : text;
}

export const green = (text: string): string => colored(32, text);
export const red = (text: string): string => colored(31, text);
export const dim = (text: string): string => colored(2, text);
