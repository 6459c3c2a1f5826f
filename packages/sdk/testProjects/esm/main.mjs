import * as sdk from "@parley/sdk";
import * as webhooks from "@parley/sdk/webhooks";
import * as request from "@parley/sdk/webhooks/request";
import { scenario } from "../scenario.mjs";

console.log(await scenario({ sdk, webhooks, request }, process.env.PARLEY_URL));
