import { demo } from "@parley/database";
import { type Demo, startDemo } from "@parley/standalone/testing";
import { createAppTester } from "zapier-platform-core";
import app from "../index.ts";

/** A running Parley, and the app in Zapier's test harness, connected as the Pro organization's user. */
export interface ZapierFixture extends Demo {
  /** Runs a function or a request of the app; `bundle` extends the bundle that Zapier always passes. */
  run<Result = unknown>(step: unknown, bundle?: object): Promise<Result>;
}

export async function startZapierFixture(): Promise<ZapierFixture> {
  const parley = await startDemo();
  const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = demo;
  Object.assign(process.env, { BASE_URL: parley.url, CLIENT_ID, CLIENT_SECRET });
  const runStep = createAppTester(app);
  const always = {
    authData: { access_token: parley.token, api_base_url: parley.url },
    inputData: {},
    meta: { page: 0 },
  };
  return {
    ...parley,
    run: <Result>(step: unknown, bundle = {}) =>
      runStep(step as () => Promise<Result>, { ...always, ...bundle }),
  };
}
