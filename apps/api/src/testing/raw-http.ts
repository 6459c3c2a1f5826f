import { connect } from "node:net";

/** Response to a raw request that no HTTP client would send. */
export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Map<string, string>;
  body: string;
}

/** Sends bytes to a server and returns the responses, in order, once the server has closed the connection. */
export function sendRaw(url: string, text: string): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("end", () => resolve(parseAnswers(Buffer.concat(chunks))));
    socket.on("error", reject);
  });
}

/** Parses the responses of a connection, each with a `Content-Length`. */
function parseAnswers(bytes: Buffer): RawAnswer[] {
  if (bytes.length === 0) return [];
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = end + 4;
  const rest = start + Number(headers.get("content-length") ?? bytes.length - start);
  const status = Number(statusLine.split(" ")[1]);
  const body = bytes.subarray(start, rest).toString();
  return [{ status, headers, body }, ...parseAnswers(bytes.subarray(rest))];
}
