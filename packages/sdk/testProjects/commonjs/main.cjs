const sdk = require("@parley/sdk");
const webhooks = require("@parley/sdk/webhooks");
const publicKey = require("@parley/sdk/webhooks/public-key");
const request = require("@parley/sdk/webhooks/request");

void import("../scenario.mjs")
  .then(({ scenario }) => scenario({ sdk, webhooks, request, publicKey }, process.env.PARLEY_URL))
  .then(console.log);
