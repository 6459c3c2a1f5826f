const sdk = require("@parley/sdk");
const webhooks = require("@parley/sdk/webhooks");
const request = require("@parley/sdk/webhooks/request");

void import("../scenario.mjs")
  .then(({ scenario }) => scenario({ sdk, webhooks, request }, process.env.PARLEY_URL))
  .then(console.log);
