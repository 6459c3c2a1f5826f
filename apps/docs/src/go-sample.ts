import type { Call } from "./calls.ts";
import { addressOf, tokenVariable } from "./sample-parts.ts";

/** Returns the calls as a Go program that uses the standard library. */
export function goSample(calls: Call[], server: string): string {
  const [variable] = calls.map(tokenVariable);
  const sends = calls.map((call) => {
    const body = call.body === undefined ? '""' : bodyOf(call.body);
    return `\tsend("${call.method.toUpperCase()}", ${JSON.stringify(addressOf(call, server))}, ${body})`;
  });
  const imports = ["fmt", "io", "log", "net/http", ...(variable ? ["os"] : []), "strings"];
  const authorize = variable
    ? `\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${variable}"))\n`
    : "";
  return `package main

import (
${imports.map((name) => `\t"${name}"`).join("\n")}
)

func main() {
${sends.join("\n")}
}

func send(method, address, body string) {
	request, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
${authorize}	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode > 299 {
		log.Fatal(response.Status, err, string(content))
	}
	fmt.Println(string(content))
}`;
}

/** Returns JSON as a raw string, which cannot contain a backquote. */
function bodyOf(body: unknown): string {
  const json = JSON.stringify(body, null, 2).replaceAll("\n", "\n\t");
  return json.includes("`") ? JSON.stringify(json) : `\`${json}\``;
}
