// Generated from openapi/ by `npm run generate`. Change the description there, not this file.

export interface paths {
    "/api/v1/chatbots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List chatbots
         * @description Any valid token on a paid plan will do; no scope is needed.
         */
        get: operations["listChatbots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chatbots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the chatbot.
                 * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a001
                 */
                id: components["parameters"]["ChatbotPathId"];
            };
            cookie?: never;
        };
        /**
         * Read a chatbot
         * @description One chatbot by its id. Any valid token on a paid plan will do; no scope is needed.
         */
        get: operations["getChatbot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Conversations between visitors and chatbots, with the filters below.
         */
        get: operations["listConversations"];
        put?: never;
        /**
         * Start a conversation
         * @description Publishes `conversation.started`.
         */
        post: operations["startConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the conversation.
                 * @example 01928c5e-9a11-7b33-8c44-2d8f04b2cb33
                 */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        /**
         * Read a conversation
         * @description One conversation by its id.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the conversation.
                 * @example 01928c5e-9a11-7b33-8c44-2d8f04b2cb33
                 */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        /**
         * List the messages of a conversation
         * @description Oldest first.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Add a message
         * @description A message of the visitor publishes `conversation.message_received`. When its sentiment turns the conversation negative or
         *     positive, `conversation.sentiment_negative` or `conversation.sentiment_positive` follows. An ended conversation takes no
         *     more messages.
         */
        post: operations["addMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the conversation.
                 * @example 01928c5e-9a11-7b33-8c44-2d8f04b2cb33
                 */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a conversation
         * @description Publishes `conversation.ended`. Ending it again changes nothing.
         */
        post: operations["endConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List leads
         * @description People whom a chatbot qualified, with the filters below.
         */
        get: operations["listLeads"];
        put?: never;
        /**
         * Create a lead
         * @description Publishes `lead.created`, and `lead.qualified` when the score reaches the chatbot's threshold.
         */
        post: operations["createLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the lead.
                 * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a911
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        /**
         * Read a lead
         * @description One lead by its id.
         */
        get: operations["getLead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a lead
         * @description Changes what the body names. Publishes `lead.updated` when something changed; also `lead.score_changed`,
         *     `lead.qualified` (a new lead reached its chatbot's threshold, or was set to qualified) and `lead.converted`.
         *     A body that changes nothing publishes nothing.
         */
        patch: operations["updateLead"];
        trace?: never;
    };
    "/api/v1/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tickets
         * @description Support tickets, with the filters below.
         */
        get: operations["listTickets"];
        put?: never;
        /**
         * Create a ticket
         * @description Opens a support ticket. Publishes `ticket.created`.
         */
        post: operations["createTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tickets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the ticket.
                 * @example 01928c5f-0b21-7d55-9e32-1c7ef3a1ba22
                 */
                id: components["parameters"]["TicketId"];
            };
            cookie?: never;
        };
        /**
         * Read a ticket
         * @description One ticket by its id.
         */
        get: operations["getTicket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a ticket
         * @description Changes what the body names. Publishes `ticket.updated` when something changed, and `ticket.resolved` when the ticket
         *     was resolved, which sets `resolved_at`; reopening it empties that again. A body that changes nothing publishes nothing.
         */
        patch: operations["updateTicket"];
        trace?: never;
    };
    "/api/v1/meetings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List meetings
         * @description Booked meetings, with the filters below.
         */
        get: operations["listMeetings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/meetings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the meeting.
                 * @example 01928c60-0c32-7e66-8f43-2d8f04b2cb44
                 */
                id: components["parameters"]["MeetingId"];
            };
            cookie?: never;
        };
        /**
         * Read a meeting
         * @description One meeting by its id.
         */
        get: operations["getMeeting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe to events
         * @description The answer holds the signing secret; it is shown here and never again. An organization may have 100 subscriptions.
         */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * @description All subscriptions of the organization, newest first, without their secrets.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        /**
         * Read a subscription
         * @description One subscription, as the list shows it.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        /**
         * Delete a subscription
         * @description Ends it at once: deliveries that are still due are dropped.
         */
        delete: operations["deleteSubscription"];
        options?: never;
        head?: never;
        /**
         * Update a subscription
         * @description Changes what the body names. Deliveries that are already due go to the new URL; events that happen from now on go by the
         *     new types and filters. Another URL begins with a count of 0 and without a pause, whatever failed at the old one. A `failed`
         *     one stays so: [resume](#/webhook-subscriptions/resumesubscription) it.
         */
        patch: operations["updateSubscription"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a subscription
         * @description Makes a `failed` subscription active again, with a count of 0. What was due when it failed is sent at once. With
         *     `fill_gap`, so are the events that happened while it was failed: begun in their order, each once, as far as the server keeps
         *     them. A gap that was left can be filled until a delivery succeeds. For one that is active it opens the way at once, without
         *     waiting for the pause to end. `failure_reason` stays until a delivery succeeds.
         */
        post: operations["resumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description Sends a sample event to the target URL now, signed as every delivery, whatever the state of the subscription, and
         *     answers with what came of it. The body has `"test": true`. It is logged, and changes neither `status` nor `failure_count`.
         */
        post: operations["testSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret
         * @description Makes a new secret, shown here and never again. Deliveries are signed with the old one for 24 hours more, so that
         *     receivers can hold both meanwhile; with `immediately` the new one signs at once. Rotating again replaces a new secret
         *     that does not sign yet.
         */
        post: operations["rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        /**
         * List deliveries
         * @description What was sent to the subscription and what is still due, the latest first: by its last attempt when it is finished, by
         *     its creation while it is pending. Attempts are kept for 30 days unless the operator chose otherwise.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
                /**
                 * @description Id of the delivery, the value of `X-Parley-Delivery`.
                 * @example 01928c61-2a03-7c9f-b4d5-6e7f8091a203
                 */
                delivery_id: components["parameters"]["DeliveryPathId"];
            };
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description One delivery with each of its attempts and the body that was sent.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
                /**
                 * @description Id of the delivery, the value of `X-Parley-Delivery`.
                 * @example 01928c61-2a03-7c9f-b4d5-6e7f8091a203
                 */
                delivery_id: components["parameters"]["DeliveryPathId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         * @description Delivers the event of a finished delivery once more, as a new delivery with an id of its own: a receiver that skips
         *     delivery ids it knows handles it. One that is still pending is made due now instead, under its own id. While the
         *     subscription pauses after a failure nothing is sent before the pause ends: [resume](#/webhook-subscriptions/resumesubscription)
         *     ends it.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a range again
         * @description Delivers the events of finished deliveries once more, begun in their order, each event once however often it was
         *     delivered: those whose last attempt lies in a range of time, the given-up ones unless `status` says otherwise. An event
         *     that was given up and delivered since is left out.
         */
        post: operations["redeliverRange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sample events
         * @description Made-up events in the very shape of deliveries, for setting up an integration before anything has happened.
         */
        get: operations["listEventSamples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom the token speaks for
         * @description Organization, plan, user, client and scopes of the token: what integration platforms call to test a connection.
         *     Any valid token on a paid plan will do; no scope is needed.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask the user for access
         * @description RFC 6749 section 4.1.1: send the user's browser here. The page asks to sign in and to agree, then redirects to
         *     `redirect_uri` with `code`, `state` and `iss`. Scopes are separated by spaces. An error that concerns the client or the
         *     redirect URI is shown to the user; every other one is sent to the redirect URI as `error` and `error_description`.
         *
         *     An app without a secret must send a `code_challenge`. An organization's own app can be authorized by its users alone;
         *     others read why, and the app is told nothing. It is told of errors once one of them is signed in.
         */
        get: operations["authorize"];
        put?: never;
        /**
         * Answer the page
         * @description What the forms of the page send: signing in, agreeing or refusing. The query is that of the GET request.
         */
        post: operations["submitAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a code or a refresh token
         * @description RFC 6749 sections 4.1.3 and 6. The body may be JSON or form-encoded; client credentials go into the body or into HTTP
         *     Basic. An app without a secret (in a browser, on a device) sends its `client_id` alone; it may call from a page of any origin. A code lives 60 seconds and works once. A refresh token is replaced at each use: keep the new one. The previous
         *     one may be retried within 60 seconds, for an answer that was lost; later it is taken for stolen and the grant ends.
         */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token
         * @description RFC 7009. Revoking a refresh token ends the grant and its access tokens; revoking an access token ends that token alone.
         *     An unknown token is answered in the same way. Every server process refuses the token within 5 seconds.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the authorization server
         * @description RFC 8414: where the endpoints are and what they support.
         */
        get: operations["getAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page of connected apps
         * @description Shows a signed-in user which apps have access, since when, when they last used it, and what they may do. Others are asked
         *     to sign in first, on the same page.
         */
        get: operations["showConnectedApps"];
        put?: never;
        /**
         * Answer the page of connected apps
         * @description What the forms of the page send. Revoking ends every access that the user gave the app.
         */
        post: operations["submitConnectedApps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page of the organization's own apps
         * @description Lists the apps that the organization registered itself, with a form to register another. Only its admins see them; other
         *     users are told so.
         */
        get: operations["showClients"];
        put?: never;
        /**
         * Register an app
         * @description What the forms of the page send. After `create` the app's own page shows its secret, once. What is wrong with the form is
         *     said beside its fields.
         */
        post: operations["submitClients"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/clients/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page of one of the organization's own apps
         * @description Shows an app's addresses and the ends of its secrets. A secret itself is shown once, right after it was made.
         */
        get: operations["showClient"];
        put?: never;
        /**
         * Change an app
         * @description What the forms of the page send: change name and redirect URIs, make a new secret, remove the old one, delete the app.
         */
        post: operations["submitClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platform/v1/organizations/{organization_id}/chatbots/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Write a chatbot
         * @description Creates or changes a chatbot. Its status moves freely between `active`, `inactive` and `training`. Publishes no event.
         */
        put: operations["upsertChatbot"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platform/v1/organizations/{organization_id}/leads/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Write a lead
         * @description Creates or changes a lead. Publishes `lead.created`, or `lead.updated` with `lead.score_changed`, and `lead.qualified` and
         *     `lead.converted` when it becomes so. A lead stays with its chatbot.
         */
        put: operations["upsertLead"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platform/v1/organizations/{organization_id}/conversations/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Write a conversation
         * @description Starts, changes or ends a conversation. Publishes `conversation.started` and `conversation.ended`. A conversation stays with
         *     its chatbot.
         */
        put: operations["upsertConversation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platform/v1/organizations/{organization_id}/messages/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Write a message
         * @description Adds a message to a conversation, or judges the sentiment of one. Publishes `conversation.message_received` for a new
         *     message of the visitor, and `conversation.sentiment_negative` or `conversation.sentiment_positive` when the visitor's mood
         *     crosses into it.
         */
        put: operations["upsertMessage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platform/v1/organizations/{organization_id}/tickets/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Write a ticket
         * @description Opens, changes or resolves a support ticket. Publishes `ticket.created` or `ticket.updated`, and `ticket.resolved` when it is
         *     resolved.
         */
        put: operations["upsertTicket"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platform/v1/organizations/{organization_id}/meetings/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Write a meeting
         * @description Schedules, moves, cancels or completes a meeting. Publishes `meeting.scheduled` when it is booked or moved,
         *     `meeting.cancelled` and `meeting.completed`. `meeting.reminder` follows by itself before the start.
         */
        put: operations["upsertMeeting"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platform/v1/organizations/{organization_id}/message-feedback/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Write feedback on a message
         * @description Records what a visitor thinks of a message. Publishes `message.feedback_negative` or `message.feedback_positive` when the
         *     rating is given and when it changes.
         */
        put: operations["upsertMessageFeedback"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platform/v1/organizations/{organization_id}/tool-runs/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Write a tool run
         * @description Records an action that a chatbot ran. Publishes `agent.tool_executed` or `agent.tool_failed`. What was reported once cannot be
         *     changed.
         */
        put: operations["upsertToolRun"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platform/v1/organizations/{organization_id}/usage-records/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Write a usage record
         * @description Adds to what the organization used in a month, or corrects it. Publishes `usage.threshold_reached` when the month's sum
         *     reaches 80 % and 100 % of what the plan includes, once each a month.
         */
        put: operations["upsertUsageRecord"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platform/v1/organizations/{organization_id}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write up to 500 records
         * @description Writes the items one after the other, each as its own operation would: a later item may name an earlier one. Every item is
         *     committed by itself, so a bad one is reported by its `index` and the others go through. Should the answer get lost, send
         *     the batch again: what was written is `unchanged` then, and nothing is published twice. With an `Idempotency-Key` the items
         *     that were written get their first result again, even if they were changed since.
         */
        post: operations["writeBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Does the process run
         * @description Answers as long as the process does.
         */
        get: operations["checkHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Can the server do its work
         * @description Answers 200 when the database does; 503 otherwise.
         */
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "lead.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * lead.created
         * @description **New lead captured.** A chatbot captured a lead, or one was created through the API.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0000-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "lead.created",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *         "type": "lead",
                     *         "attributes": {
                     *           "contact": {
                     *             "name": "Ada Novak",
                     *             "email": "ada@example.com",
                     *             "phone": null,
                     *             "company": "Novak Ltd"
                     *           },
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "status": "new",
                     *           "score": 40,
                     *           "qualification": {
                     *             "budget": "10-20k"
                     *           },
                     *           "source": "https://example.com/pricing",
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-01T09:00:00.000Z",
                     *           "qualified_at": null,
                     *           "converted_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "lead.created";
                        data: components["schemas"]["Lead"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * lead.updated
         * @description **Lead information updated.** One or more fields of a lead changed. `previous_attributes` holds the old values of those that did.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0001-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "lead.updated",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *         "type": "lead",
                     *         "attributes": {
                     *           "contact": {
                     *             "name": "Ada Novak",
                     *             "email": "ada@example.com",
                     *             "phone": null,
                     *             "company": "Novak Ltd"
                     *           },
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "status": "new",
                     *           "score": 55,
                     *           "qualification": {
                     *             "budget": "10-20k"
                     *           },
                     *           "source": "https://example.com/pricing",
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-01T09:04:00.000Z",
                     *           "qualified_at": null,
                     *           "converted_at": null
                     *         }
                     *       },
                     *       "previous_attributes": {
                     *         "score": 40
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "lead.updated";
                        data: components["schemas"]["Lead"];
                        /** @description The old values of the attributes that changed, by name. */
                        previous_attributes: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.qualified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * lead.qualified
         * @description **Lead marked as qualified.** The lead reached the qualification threshold of its chatbot, or was marked as qualified. It happens once a lead.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0002-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "lead.qualified",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *         "type": "lead",
                     *         "attributes": {
                     *           "contact": {
                     *             "name": "Ada Novak",
                     *             "email": "ada@example.com",
                     *             "phone": null,
                     *             "company": "Novak Ltd"
                     *           },
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "status": "qualified",
                     *           "score": 82,
                     *           "qualification": {
                     *             "budget": "10-20k"
                     *           },
                     *           "source": "https://example.com/pricing",
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-01T09:05:12.345Z",
                     *           "qualified_at": "2026-03-01T09:05:12.345Z",
                     *           "converted_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "lead.qualified";
                        data: components["schemas"]["Lead"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.converted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * lead.converted
         * @description **Lead converted to customer.** The lead became a customer. It happens once a lead.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0003-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "lead.converted",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *         "type": "lead",
                     *         "attributes": {
                     *           "contact": {
                     *             "name": "Ada Novak",
                     *             "email": "ada@example.com",
                     *             "phone": null,
                     *             "company": "Novak Ltd"
                     *           },
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "status": "converted",
                     *           "score": 90,
                     *           "qualification": {
                     *             "budget": "10-20k"
                     *           },
                     *           "source": "https://example.com/pricing",
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-02T11:00:00.000Z",
                     *           "qualified_at": "2026-03-01T09:05:12.345Z",
                     *           "converted_at": "2026-03-02T11:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "lead.converted";
                        data: components["schemas"]["Lead"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.score_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * lead.score_changed
         * @description **Lead score changed.** The score of the lead changed. `previous_attributes.score` is the old one.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0004-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "lead.score_changed",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *         "type": "lead",
                     *         "attributes": {
                     *           "contact": {
                     *             "name": "Ada Novak",
                     *             "email": "ada@example.com",
                     *             "phone": null,
                     *             "company": "Novak Ltd"
                     *           },
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "status": "new",
                     *           "score": 55,
                     *           "qualification": {
                     *             "budget": "10-20k"
                     *           },
                     *           "source": "https://example.com/pricing",
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-01T09:04:00.000Z",
                     *           "qualified_at": null,
                     *           "converted_at": null
                     *         }
                     *       },
                     *       "previous_attributes": {
                     *         "score": 40
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "lead.score_changed";
                        data: components["schemas"]["Lead"];
                        /** @description The old values of the attributes that changed, by name. */
                        previous_attributes: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * conversation.started
         * @description **New conversation started.** A visitor began to talk with a chatbot.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0005-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "conversation.started",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *         "type": "conversation",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "status": "open",
                     *           "channel": "web",
                     *           "visitor": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "sentiment": null,
                     *           "message_count": 0,
                     *           "started_at": "2026-03-01T08:55:00.000Z",
                     *           "ended_at": null,
                     *           "updated_at": "2026-03-01T08:55:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "conversation.started";
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * conversation.ended
         * @description **Conversation ended.** The conversation is over.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0006-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "conversation.ended",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *         "type": "conversation",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "status": "ended",
                     *           "channel": "web",
                     *           "visitor": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "sentiment": "neutral",
                     *           "message_count": 6,
                     *           "started_at": "2026-03-01T08:55:00.000Z",
                     *           "ended_at": "2026-03-01T09:20:00.000Z",
                     *           "updated_at": "2026-03-01T09:20:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "conversation.ended";
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.message_received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * conversation.message_received
         * @description **New message received.** The visitor wrote a message. `data` is the message.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0007-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "conversation.message_received",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44",
                     *         "type": "message",
                     *         "attributes": {
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "role": "visitor",
                     *           "text": "Where do I change the address on my invoice?",
                     *           "sentiment": "neutral",
                     *           "created_at": "2026-03-01T08:55:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "conversation.message_received";
                        data: components["schemas"]["Message"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.sentiment_negative": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * conversation.sentiment_negative
         * @description **Negative sentiment detected.** The mood of the visitor turned negative: sent when it crosses into it, not at each message.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0008-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "conversation.sentiment_negative",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *         "type": "conversation",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "status": "open",
                     *           "channel": "web",
                     *           "visitor": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "sentiment": "negative",
                     *           "message_count": 3,
                     *           "started_at": "2026-03-01T08:55:00.000Z",
                     *           "ended_at": null,
                     *           "updated_at": "2026-03-01T08:58:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "conversation.sentiment_negative";
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.sentiment_positive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * conversation.sentiment_positive
         * @description **Positive sentiment detected.** The mood of the visitor turned positive: sent when it crosses into it, not at each message.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0009-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "conversation.sentiment_positive",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *         "type": "conversation",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "status": "open",
                     *           "channel": "web",
                     *           "visitor": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "sentiment": "positive",
                     *           "message_count": 5,
                     *           "started_at": "2026-03-01T08:55:00.000Z",
                     *           "ended_at": null,
                     *           "updated_at": "2026-03-01T09:02:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "conversation.sentiment_positive";
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "ticket.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * ticket.created
         * @description **Support ticket created.** A support ticket was opened.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-000a-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "ticket.created",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
                     *         "type": "ticket",
                     *         "attributes": {
                     *           "subject": "Invoice shows the wrong address",
                     *           "description": "The visitor moved in January and wants a corrected invoice.",
                     *           "status": "open",
                     *           "priority": "normal",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "requester": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "created_at": "2026-03-01T10:00:00.000Z",
                     *           "updated_at": "2026-03-01T10:00:00.000Z",
                     *           "resolved_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "ticket.created";
                        data: components["schemas"]["Ticket"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "ticket.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * ticket.updated
         * @description **Ticket updated.** One or more fields of a ticket changed. `previous_attributes` holds the old values of those that did.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-000b-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "ticket.updated",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
                     *         "type": "ticket",
                     *         "attributes": {
                     *           "subject": "Invoice shows the wrong address",
                     *           "description": "The visitor moved in January and wants a corrected invoice.",
                     *           "status": "open",
                     *           "priority": "high",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "requester": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "created_at": "2026-03-01T10:00:00.000Z",
                     *           "updated_at": "2026-03-01T10:15:00.000Z",
                     *           "resolved_at": null
                     *         }
                     *       },
                     *       "previous_attributes": {
                     *         "priority": "normal"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "ticket.updated";
                        data: components["schemas"]["Ticket"];
                        /** @description The old values of the attributes that changed, by name. */
                        previous_attributes: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "ticket.resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * ticket.resolved
         * @description **Ticket resolved.** The ticket was resolved.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-000c-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "ticket.resolved",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
                     *         "type": "ticket",
                     *         "attributes": {
                     *           "subject": "Invoice shows the wrong address",
                     *           "description": "The visitor moved in January and wants a corrected invoice.",
                     *           "status": "resolved",
                     *           "priority": "high",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "requester": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "created_at": "2026-03-01T10:00:00.000Z",
                     *           "updated_at": "2026-03-01T12:00:00.000Z",
                     *           "resolved_at": "2026-03-01T12:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "ticket.resolved";
                        data: components["schemas"]["Ticket"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "meeting.scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * meeting.scheduled
         * @description **Meeting scheduled or booked.** A meeting was booked, moved to another time, or takes place after all. `previous_attributes` is there when the meeting was
         *     there before, and holds the old values of what changed.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-000d-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "meeting.scheduled",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
                     *         "type": "meeting",
                     *         "attributes": {
                     *           "title": "Product demo",
                     *           "status": "scheduled",
                     *           "starts_at": "2026-03-05T14:00:00.000Z",
                     *           "ends_at": "2026-03-05T14:30:00.000Z",
                     *           "timezone": "Europe/Vienna",
                     *           "location": "https://meet.example.com/ada",
                     *           "attendees": [
                     *             {
                     *               "name": "Ada Novak",
                     *               "email": "ada@example.com"
                     *             }
                     *           ],
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *           "created_at": "2026-03-01T09:10:00.000Z",
                     *           "updated_at": "2026-03-01T09:10:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "meeting.scheduled";
                        data: components["schemas"]["Meeting"];
                        /** @description The old values of the attributes that changed, by name, when the meeting was there before. */
                        previous_attributes?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "meeting.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * meeting.cancelled
         * @description **Meeting cancelled.** The meeting will not take place.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-000e-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "meeting.cancelled",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
                     *         "type": "meeting",
                     *         "attributes": {
                     *           "title": "Product demo",
                     *           "status": "cancelled",
                     *           "starts_at": "2026-03-05T14:00:00.000Z",
                     *           "ends_at": "2026-03-05T14:30:00.000Z",
                     *           "timezone": "Europe/Vienna",
                     *           "location": "https://meet.example.com/ada",
                     *           "attendees": [
                     *             {
                     *               "name": "Ada Novak",
                     *               "email": "ada@example.com"
                     *             }
                     *           ],
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *           "created_at": "2026-03-01T09:10:00.000Z",
                     *           "updated_at": "2026-03-04T09:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "meeting.cancelled";
                        data: components["schemas"]["Meeting"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "meeting.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * meeting.completed
         * @description **Meeting completed.** The meeting took place.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-000f-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "meeting.completed",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
                     *         "type": "meeting",
                     *         "attributes": {
                     *           "title": "Product demo",
                     *           "status": "completed",
                     *           "starts_at": "2026-03-05T14:00:00.000Z",
                     *           "ends_at": "2026-03-05T14:30:00.000Z",
                     *           "timezone": "Europe/Vienna",
                     *           "location": "https://meet.example.com/ada",
                     *           "attendees": [
                     *             {
                     *               "name": "Ada Novak",
                     *               "email": "ada@example.com"
                     *             }
                     *           ],
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *           "created_at": "2026-03-01T09:10:00.000Z",
                     *           "updated_at": "2026-03-05T14:31:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "meeting.completed";
                        data: components["schemas"]["Meeting"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "meeting.reminder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * meeting.reminder
         * @description **Meeting reminder sent.** The meeting is about to start. Sent once for a start time, an hour before it unless the operator chose
         *     another time: a meeting that moved is reminded of again. Never sent for a cancelled one, nor after the start.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0010-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "meeting.reminder",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
                     *         "type": "meeting",
                     *         "attributes": {
                     *           "title": "Product demo",
                     *           "status": "scheduled",
                     *           "starts_at": "2026-03-05T14:00:00.000Z",
                     *           "ends_at": "2026-03-05T14:30:00.000Z",
                     *           "timezone": "Europe/Vienna",
                     *           "location": "https://meet.example.com/ada",
                     *           "attendees": [
                     *             {
                     *               "name": "Ada Novak",
                     *               "email": "ada@example.com"
                     *             }
                     *           ],
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *           "created_at": "2026-03-01T09:10:00.000Z",
                     *           "updated_at": "2026-03-01T09:10:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "meeting.reminder";
                        data: components["schemas"]["Meeting"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.feedback_negative": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * message.feedback_negative
         * @description **Negative feedback on a message.** The visitor marked a message of the chatbot as unhelpful.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0011-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "message.feedback_negative",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-9c33-7955-8e66-4fa026d4ed55",
                     *         "type": "message_feedback",
                     *         "attributes": {
                     *           "message_id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44",
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "rating": "negative",
                     *           "comment": "That was not my question.",
                     *           "created_at": "2026-03-01T08:56:10.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "message.feedback_negative";
                        data: components["schemas"]["MessageFeedback"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.feedback_positive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * message.feedback_positive
         * @description **Positive feedback on a message.** The visitor marked a message of the chatbot as helpful.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0012-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "message.feedback_positive",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-9c33-7955-8e66-4fa026d4ed55",
                     *         "type": "message_feedback",
                     *         "attributes": {
                     *           "message_id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44",
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "rating": "positive",
                     *           "comment": null,
                     *           "created_at": "2026-03-01T08:56:10.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "message.feedback_positive";
                        data: components["schemas"]["MessageFeedback"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "agent.tool_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * agent.tool_failed
         * @description **AI action failed.** An action that the chatbot tried to run failed.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0013-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "agent.tool_failed",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-9d44-7866-9f77-50b137e5fe66",
                     *         "type": "tool_run",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "tool": "look_up_invoice",
                     *           "status": "failed",
                     *           "error": "The billing service did not answer.",
                     *           "duration_ms": 412,
                     *           "created_at": "2026-03-01T08:55:20.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "agent.tool_failed";
                        data: components["schemas"]["ToolRun"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "agent.tool_executed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * agent.tool_executed
         * @description **AI action executed.** An action that the chatbot ran succeeded.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0014-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "agent.tool_executed",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *       "data": {
                     *         "id": "01928c5e-9d44-7866-9f77-50b137e5fe66",
                     *         "type": "tool_run",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "tool": "look_up_invoice",
                     *           "status": "executed",
                     *           "error": null,
                     *           "duration_ms": 412,
                     *           "created_at": "2026-03-01T08:55:20.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "agent.tool_executed";
                        data: components["schemas"]["ToolRun"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "usage.threshold_reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * usage.threshold_reached
         * @description **Usage threshold reached.** The organization used 80 % or 100 % of what its plan includes in a month. Sent once each a month.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
                     * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
                     */
                    "X-Parley-Signature": components["parameters"]["ParleySignature"];
                    /**
                     * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
                     *     by more than 300 seconds, in either direction, or when it is missing.
                     * @example 1772359200
                     */
                    "X-Parley-Timestamp": components["parameters"]["ParleyTimestamp"];
                    /** @description The event type, the same as `type` in the body. */
                    "X-Parley-Event": components["parameters"]["ParleyEvent"];
                    /**
                     * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "X-Parley-Delivery": components["parameters"]["ParleyDelivery"];
                    /**
                     * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
                     * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
                     * @example 1772359200
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
                     *     for Standard Webhooks libraries.
                     * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "id": "01928c61-0015-7b1c-9a2d-3c4d5e6f7a80",
                     *       "type": "usage.threshold_reached",
                     *       "api_version": "2024-01-01",
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "chatbot_id": null,
                     *       "data": {
                     *         "id": "01928c62-0000-7755-8a88-61c248f60f77",
                     *         "type": "usage",
                     *         "attributes": {
                     *           "metric": "messages",
                     *           "period_start": "2026-03-01T00:00:00.000Z",
                     *           "period_end": "2026-04-01T00:00:00.000Z",
                     *           "allowance": 10000,
                     *           "used": 8000,
                     *           "threshold_percent": 80
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventEnvelope"] & {
                        /** @constant */
                        type: "usage.threshold_reached";
                        data: components["schemas"]["Usage"];
                    };
                };
            };
            responses: {
                "2XX": components["responses"]["DeliveryAccepted"];
                "4XX": components["responses"]["DeliveryRefused"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description `active`: live and responding. `inactive`: paused. `training`: being trained.
         * @enum {string}
         */
        ChatbotStatus: "active" | "inactive" | "training";
        /**
         * Format: date-time
         * @description ISO 8601, UTC, in milliseconds.
         */
        Timestamp: string;
        Chatbot: {
            /** @description Unique chatbot identifier. */
            id: string;
            /** @constant */
            type: "chatbot";
            attributes: {
                /** @description Display name. */
                name: string;
                description: string;
                /** @description Name of the AI model used. */
                model: string;
                status: components["schemas"]["ChatbotStatus"];
                created_at: components["schemas"]["Timestamp"];
                updated_at: components["schemas"]["Timestamp"];
            };
            /** @description The chatbot's name, for dropdown controls. */
            label: string;
            /** @description The chatbot's id, for dropdown controls. */
            value: string;
        };
        PageMeta: {
            /**
             * @description Version of the API that answered.
             * @constant
             */
            api_version: "2024-01-01";
            /** @description Number of matching records. */
            total: number;
            /** @description Page size applied. */
            limit: number;
            /** @description Records skipped. */
            offset: number;
            /** @description Whether more records follow. */
            has_more: boolean;
            /** @description Number of records in this response. */
            count: number;
        };
        /** @description Every error has this body. */
        Error: {
            /**
             * @description Code for programs.
             * @enum {string}
             */
            error: "invalid_request" | "unauthorized" | "invalid_token" | "insufficient_scope" | "plan_required" | "not_found" | "rate_limit_exceeded" | "server_error";
            /** @description For people; names the field, what was wrong and what is accepted. */
            error_description: string;
        };
        Meta: {
            /**
             * @description Version of the API that answered.
             * @constant
             */
            api_version: "2024-01-01";
        };
        /**
         * @description `open`: under way. `ended`: over.
         * @enum {string}
         */
        ConversationStatus: "open" | "ended";
        Person: {
            name: string | null;
            email: string | null;
        };
        /**
         * @description Mood of the visitor.
         * @enum {string}
         */
        Sentiment: "positive" | "neutral" | "negative";
        /**
         * Format: date-time
         * @description ISO 8601, UTC, in milliseconds; null when it has not happened.
         */
        NullableTimestamp: string | null;
        Conversation: {
            id: string;
            /** @constant */
            type: "conversation";
            attributes: {
                chatbot_id: string;
                lead_id: string | null;
                status: components["schemas"]["ConversationStatus"];
                /** @description Where it takes place, for example web. */
                channel: string;
                visitor: components["schemas"]["Person"];
                /** @description Mood of the visitor in the latest message that was judged; null before the first. */
                sentiment: components["schemas"]["Sentiment"] | null;
                message_count: number;
                started_at: components["schemas"]["Timestamp"];
                ended_at: components["schemas"]["NullableTimestamp"];
                updated_at: components["schemas"]["Timestamp"];
            };
        };
        PersonInput: {
            name?: string | null;
            /** Format: email */
            email?: string | null;
        };
        ConversationCreate: {
            /**
             * Format: uuid
             * @description The chatbot that the visitor talks with.
             */
            chatbot_id: string;
            /**
             * Format: uuid
             * @default null
             */
            lead_id?: string | null;
            /**
             * @description Where it takes place, for example web.
             * @default web
             */
            channel?: string;
            visitor?: components["schemas"]["PersonInput"];
        };
        Message: {
            id: string;
            /** @constant */
            type: "message";
            attributes: {
                conversation_id: string;
                chatbot_id: string;
                /** @enum {string} */
                role: "visitor" | "chatbot" | "agent";
                text: string;
                /** @description Mood of the message; null when it was not judged. */
                sentiment: components["schemas"]["Sentiment"] | null;
                created_at: components["schemas"]["Timestamp"];
            };
        };
        MessageCreate: {
            /**
             * @description Who wrote it.
             * @enum {string}
             */
            role: "visitor" | "chatbot" | "agent";
            text: string;
            /**
             * @description Mood of the message, where it was judged.
             * @default null
             */
            sentiment?: components["schemas"]["Sentiment"] | null;
        };
        /**
         * @description `new`: captured. `qualified`: reached the qualification threshold. `converted`: became a customer. `disqualified`: ruled out.
         * @enum {string}
         */
        LeadStatus: "new" | "qualified" | "converted" | "disqualified";
        LeadContact: {
            name: string | null;
            email: string | null;
            phone: string | null;
            company: string | null;
        };
        Lead: {
            id: string;
            /** @constant */
            type: "lead";
            attributes: {
                contact: components["schemas"]["LeadContact"];
                chatbot_id: string;
                status: components["schemas"]["LeadStatus"];
                score: number;
                /** @description Answers to the chatbot's qualification questions, by question. */
                qualification: {
                    [key: string]: unknown;
                };
                /** @description Where the lead came from, for example a page's address. */
                source: string | null;
                created_at: components["schemas"]["Timestamp"];
                updated_at: components["schemas"]["Timestamp"];
                qualified_at: components["schemas"]["NullableTimestamp"];
                converted_at: components["schemas"]["NullableTimestamp"];
            };
        };
        LeadContactInput: {
            name?: string | null;
            /** Format: email */
            email?: string | null;
            phone?: string | null;
            company?: string | null;
        };
        LeadCreate: {
            /**
             * Format: uuid
             * @description The chatbot that captured the lead.
             */
            chatbot_id: string;
            contact: components["schemas"]["LeadContactInput"];
            /**
             * @description A score at or above the chatbot's threshold qualifies the lead.
             * @default 0
             */
            score?: number;
            /** @default {} */
            qualification?: {
                [key: string]: unknown;
            };
            /** @default null */
            source?: string | null;
        };
        /** @description Only what is named is changed. */
        LeadUpdate: {
            contact?: components["schemas"]["LeadContactInput"];
            status?: components["schemas"]["LeadStatus"];
            /** @description Reaching the chatbot's threshold qualifies a new lead. */
            score?: number;
            /** @description Replaces all answers. */
            qualification?: {
                [key: string]: unknown;
            };
            source?: string | null;
        };
        /**
         * @description State.
         * @enum {string}
         */
        TicketStatus: "open" | "pending" | "resolved" | "closed";
        /**
         * @description Urgency.
         * @enum {string}
         */
        TicketPriority: "low" | "normal" | "high" | "urgent";
        Ticket: {
            id: string;
            /** @constant */
            type: "ticket";
            attributes: {
                subject: string;
                description: string;
                status: components["schemas"]["TicketStatus"];
                priority: components["schemas"]["TicketPriority"];
                chatbot_id: string | null;
                lead_id: string | null;
                conversation_id: string | null;
                requester: components["schemas"]["Person"];
                created_at: components["schemas"]["Timestamp"];
                updated_at: components["schemas"]["Timestamp"];
                resolved_at: components["schemas"]["NullableTimestamp"];
            };
        };
        TicketCreate: {
            subject: string;
            /** @default  */
            description?: string;
            priority?: components["schemas"]["TicketPriority"];
            /**
             * Format: uuid
             * @description The chatbot that opened it.
             * @default null
             */
            chatbot_id?: string | null;
            /**
             * Format: uuid
             * @default null
             */
            lead_id?: string | null;
            /**
             * Format: uuid
             * @default null
             */
            conversation_id?: string | null;
            requester?: components["schemas"]["PersonInput"];
        };
        /** @description Only what is named is changed. */
        TicketUpdate: {
            subject?: string;
            description?: string;
            status?: components["schemas"]["TicketStatus"];
            priority?: components["schemas"]["TicketPriority"];
            requester?: components["schemas"]["PersonInput"];
        };
        /**
         * @description State.
         * @enum {string}
         */
        MeetingStatus: "scheduled" | "cancelled" | "completed";
        Meeting: {
            id: string;
            /** @constant */
            type: "meeting";
            attributes: {
                title: string;
                status: components["schemas"]["MeetingStatus"];
                starts_at: components["schemas"]["Timestamp"];
                ends_at: components["schemas"]["Timestamp"];
                /** @description IANA time zone, for example Europe/Vienna. */
                timezone: string;
                location: string | null;
                attendees: components["schemas"]["Person"][];
                chatbot_id: string | null;
                lead_id: string | null;
                created_at: components["schemas"]["Timestamp"];
                updated_at: components["schemas"]["Timestamp"];
            };
        };
        /**
         * @description What happened.
         * @enum {string}
         */
        EventType: "lead.created" | "lead.updated" | "lead.qualified" | "lead.converted" | "lead.score_changed" | "conversation.started" | "conversation.ended" | "conversation.message_received" | "conversation.sentiment_negative" | "conversation.sentiment_positive" | "ticket.created" | "ticket.updated" | "ticket.resolved" | "meeting.scheduled" | "meeting.cancelled" | "meeting.completed" | "meeting.reminder" | "message.feedback_negative" | "message.feedback_positive" | "agent.tool_failed" | "agent.tool_executed" | "usage.threshold_reached";
        /** @description Restricts the events; empty when there is no restriction. */
        SubscriptionFilters: {
            /**
             * Format: uuid
             * @description Only events of this chatbot.
             */
            chatbot_id?: string;
        };
        SubscriptionCreate: {
            /**
             * Format: uri
             * @description HTTPS URL that receives the deliveries, without credentials and fragment.
             */
            target_url: string;
            event_types: components["schemas"]["EventType"][];
            filters?: components["schemas"]["SubscriptionFilters"];
        };
        /**
         * @description `failed`: paused after 5 consecutive delivery failures, or because the receiver answered 410 Gone.
         * @enum {string}
         */
        SubscriptionStatus: "active" | "failed";
        CreatedSubscription: {
            /** @description Subscription identifier. */
            id: string;
            /** @description HTTPS URL that receives the deliveries. */
            target_url: string;
            event_types: components["schemas"]["EventType"][];
            filters: components["schemas"]["SubscriptionFilters"];
            status: components["schemas"]["SubscriptionStatus"];
            /** @description Signing secret. It is shown here and never again. */
            secret: string;
            created_at: components["schemas"]["Timestamp"];
        };
        Subscription: {
            /** @description Subscription identifier. */
            id: string;
            /** @description HTTPS URL that receives the deliveries. */
            target_url: string;
            event_types: components["schemas"]["EventType"][];
            filters: components["schemas"]["SubscriptionFilters"];
            status: components["schemas"]["SubscriptionStatus"];
            /** @description Consecutive delivery failures. */
            failure_count: number;
            /**
             * Format: date-time
             * @description When it became `failed`; null while it is active.
             */
            failed_at: string | null;
            /** @description What went wrong at the latest failure, in words; null once a delivery has succeeded since. */
            failure_reason: string | null;
            /**
             * Format: date-time
             * @description When a delivery last succeeded, to the second; null before the first.
             */
            last_delivery_at: string | null;
            /**
             * Format: date-time
             * @description When signing changes over to the secret of the latest rotation; null when it did at once, or there was none.
             */
            rotates_at: string | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        ListMeta: {
            /**
             * @description Version of the API that answered.
             * @constant
             */
            api_version: "2024-01-01";
            /** @description Number of records. */
            total: number;
            /** @description Number of records in this response. */
            count: number;
        };
        DeletedSubscription: {
            /** @description Id of the deleted subscription. */
            id: string;
            /** @constant */
            deleted: true;
        };
        /** @description Only what is named is changed. */
        SubscriptionUpdate: {
            /**
             * Format: uri
             * @description HTTPS URL that receives the deliveries, without credentials and fragment.
             */
            target_url?: string;
            event_types?: components["schemas"]["EventType"][];
            /** @description Replaces the filters; an empty object removes them. */
            filters?: components["schemas"]["SubscriptionFilters"];
        };
        ResumeMeta: {
            /**
             * @description Version of the API that answered.
             * @constant
             */
            api_version: "2024-01-01";
            /** @description Deliveries that were made to fill the gap. */
            gap_deliveries: number;
        };
        /**
         * @description `pending`: not tried yet, or to be tried again. `delivered`: the receiver answered 2xx. `exhausted`: given up.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "exhausted";
        DeliveryAttempt: {
            /** @description 1 is the first. */
            number: number;
            attempted_at: components["schemas"]["Timestamp"];
            duration_ms: number;
            /** @description Status that the receiver answered; null without an answer. */
            status_code: number | null;
            /** @description Why it failed, in words: DNS, connect, TLS, time-out, blocked address, an unreadable signing secret, or the status; null for a success. */
            error: string | null;
            /** @description The first KiB of the answer; null without an answer. */
            response_body: string | null;
        };
        Delivery: {
            /** @description The value of `X-Parley-Delivery`. */
            id: string;
            /** @constant */
            type: "delivery";
            attributes: {
                subscription_id: string;
                /** @description The `id` in the body. */
                event_id: string;
                event_type: components["schemas"]["EventType"];
                /** @description Whether it was sent as a test. */
                test: boolean;
                status: components["schemas"]["DeliveryStatus"];
                attempt_count: number;
                /** @description The latest attempt; null before the first. */
                last_attempt: components["schemas"]["DeliveryAttempt"] | null;
                /**
                 * Format: date-time
                 * @description When it is due, while it is pending. It waits longer while the subscription is failing or `failed`.
                 */
                next_attempt_at: string | null;
                created_at: components["schemas"]["Timestamp"];
            };
        };
        DeliveryDetails: {
            /** @description The value of `X-Parley-Delivery`. */
            id: string;
            /** @constant */
            type: "delivery";
            attributes: {
                subscription_id: string;
                /** @description The `id` in the body. */
                event_id: string;
                event_type: components["schemas"]["EventType"];
                /** @description Whether it was sent as a test. */
                test: boolean;
                status: components["schemas"]["DeliveryStatus"];
                attempt_count: number;
                /**
                 * Format: date-time
                 * @description When it is due, while it is pending. It waits longer while the subscription is failing or `failed`.
                 */
                next_attempt_at: string | null;
                created_at: components["schemas"]["Timestamp"];
                /** @description Every attempt that the log still holds, the first one first. */
                attempts: components["schemas"]["DeliveryAttempt"][];
                /** @description The body that was sent; null when it is no longer kept, and for tests. */
                body: string | null;
            };
        };
        EventEnvelope: {
            /** @description Id of the event, the same for every subscription. */
            id: string;
            /** @constant */
            api_version: "2024-01-01";
            created_at: components["schemas"]["Timestamp"];
            /**
             * @description Present when it was sent as a test; nothing has happened then.
             * @constant
             */
            test?: true;
            /** @description The chatbot concerned; null when none is. */
            chatbot_id: string | null;
        };
        /** @description The body of a delivery; [each event](#/lead-events) shows what `data` is. */
        EventSample: components["schemas"]["EventEnvelope"] & {
            type: components["schemas"]["EventType"];
            data: {
                [key: string]: unknown;
            };
            previous_attributes?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description Plan of the organization. `free` has no access to the API. Requests a minute: Starter 100, Pro 300, Business 1,000.
         *     Messages included a month: Free 500, Starter 2,000, Pro 10,000, Business 100,000.
         * @enum {string}
         */
        Plan: "free" | "starter" | "pro" | "business";
        /**
         * @description What a token may do; see the security scheme for each in words.
         * @enum {string}
         */
        Scope: "leads:read" | "leads:write" | "conversations:read" | "conversations:write" | "tickets:read" | "tickets:write" | "meetings:read" | "webhooks:manage";
        Me: {
            /** @description Id of the organization. */
            id: string;
            /** @constant */
            type: "organization";
            attributes: {
                /** @description Name of the organization. */
                name: string;
                plan: components["schemas"]["Plan"];
                user: {
                    id: string;
                    name: string;
                    email: string;
                };
                client: {
                    /** @description The client_id. */
                    id: string;
                    name: string;
                };
                scopes: components["schemas"]["Scope"][];
            };
        };
        /** @description What the pages of the authorization endpoint send. Only they do. */
        AuthorizationForm: {
            csrf_token: string;
            /** @enum {string} */
            action: "sign_in" | "sign_out" | "allow" | "deny";
            email?: string;
            password?: string;
        };
        /** @description Exchanges an authorization code or a refresh token. Client credentials go into the body or into HTTP Basic, not both. */
        TokenRequest: {
            /** @description `authorization_code` or `refresh_token`. */
            grant_type: string;
            /** @description Authorization code; with `authorization_code`. */
            code?: string;
            /** @description The same as in the authorization request; with `authorization_code`. */
            redirect_uri?: string;
            /** @description 43 to 128 characters; when the authorization request carried a `code_challenge`. */
            code_verifier?: string;
            /** @description With `refresh_token`. */
            refresh_token?: string;
            /** @description With `refresh_token`: fewer scopes than were granted. */
            scope?: string;
            client_id?: string;
            /** @description Not of an app without a secret, which must not send one. */
            client_secret?: string;
        };
        TokenResponse: {
            /** @description Valid for one hour. */
            access_token: string;
            /** @description Valid for 30 days; each use gives a new one. */
            refresh_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Seconds until the access token expires. */
            expires_in: number;
            /** @description Granted scopes, separated by spaces. */
            scope: string;
            /** @description Root address of the API. */
            api_base_url: string;
        };
        /** @description Error of the token endpoint, RFC 6749 section 5.2. */
        OAuthError: {
            /**
             * @description Code for programs.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_client" | "invalid_grant" | "unsupported_grant_type" | "invalid_scope" | "rate_limit_exceeded";
            /** @description For people. */
            error_description: string;
        };
        /** @description RFC 7009 section 2.1. */
        RevocationRequest: {
            /** @description An access or refresh token of this client. */
            token: string;
            /** @description Not needed. */
            token_type_hint?: string;
            client_id?: string;
            /** @description Not of an app without a secret, which must not send one. */
            client_secret?: string;
        };
        /** @description RFC 8414 section 2. */
        AuthorizationServerMetadata: {
            /** Format: uri */
            issuer: string;
            /** Format: uri */
            authorization_endpoint: string;
            /** Format: uri */
            token_endpoint: string;
            /** Format: uri */
            revocation_endpoint: string;
            /** Format: uri */
            service_documentation?: string;
            scopes_supported: components["schemas"]["Scope"][];
            response_types_supported: string[];
            response_modes_supported?: string[];
            grant_types_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            revocation_endpoint_auth_methods_supported?: string[];
            code_challenge_methods_supported: string[];
            authorization_response_iss_parameter_supported: boolean;
        };
        /** @description What the page of connected apps sends. Only it does. */
        ConnectedAppsForm: {
            csrf_token: string;
            /** @enum {string} */
            action: "sign_in" | "sign_out" | "revoke";
            email?: string;
            password?: string;
            /** @description With `revoke`. */
            client_id?: string;
        };
        /** @description What the page of own apps sends. Only it does. */
        ClientsForm: {
            csrf_token: string;
            /** @enum {string} */
            action: "sign_in" | "sign_out" | "create";
            email?: string;
            password?: string;
            /** @description With `create`, like what follows. */
            name?: string;
            /** @description One on each line. */
            redirect_uris?: string;
            /** @enum {string} */
            kind?: "confidential" | "public";
        };
        /** @description What the page of one own app sends. Only it does. */
        ClientForm: {
            csrf_token: string;
            /** @enum {string} */
            action: "sign_in" | "sign_out" | "update" | "rotate_secret" | "remove_old_secret" | "delete";
            email?: string;
            password?: string;
            /** @description With `update`. */
            name?: string;
            /** @description With `update`: one on each line. */
            redirect_uris?: string;
            /**
             * @description With `rotate_secret`: how long the old secret works on.
             * @enum {string}
             */
            old_valid_for?: "day" | "week" | "none";
        };
        /** @description The platform's own id of the record, unique for its kind within the organization. */
        ExternalId: string;
        /** @description The state of a chatbot. What is left out stays as it is. */
        PlatformChatbot: {
            name: string;
            description?: string;
            /** @description Name of the AI model used. */
            model: string;
            status?: components["schemas"]["ChatbotStatus"];
            /** @description Score from which a lead of the chatbot is qualified; 70 for a new chatbot. Leads that are there already stay as they are. */
            qualification_threshold?: number;
        };
        /**
         * @description What became of the record. `unchanged` when it was there already and nothing differs; then nothing was published.
         * @enum {string}
         */
        UpsertResult: "created" | "updated" | "unchanged";
        UpsertMeta: {
            /**
             * @description Version of the API that answered.
             * @constant
             */
            api_version: "2024-01-01";
            result: components["schemas"]["UpsertResult"];
        };
        /** @description The state of a lead. What is left out stays as it is. */
        PlatformLead: {
            chatbot_external_id: components["schemas"]["ExternalId"];
            contact?: components["schemas"]["LeadContactInput"];
            status?: components["schemas"]["LeadStatus"];
            /** @description Reaching the chatbot's threshold qualifies a new lead. */
            score?: number;
            /** @description Replaces all answers. */
            qualification?: {
                [key: string]: unknown;
            };
            source?: string | null;
        };
        /** @description The platform's own id of the record; null when there is none. */
        NullableExternalId: components["schemas"]["ExternalId"] | null;
        /** @description The state of a conversation. What is left out stays as it is. */
        PlatformConversation: {
            chatbot_external_id: components["schemas"]["ExternalId"];
            lead_external_id?: components["schemas"]["NullableExternalId"];
            /** @description Where it takes place; web for a new one. */
            channel?: string;
            visitor?: components["schemas"]["PersonInput"];
            /** @description `ended` ends the conversation. One that has ended stays so. */
            status?: components["schemas"]["ConversationStatus"];
        };
        /** @description A message. Its sentiment may be judged later; the rest stays as it was said. */
        PlatformMessage: {
            conversation_external_id: components["schemas"]["ExternalId"];
            /**
             * @description Who wrote it.
             * @enum {string}
             */
            role: "visitor" | "chatbot" | "agent";
            text: string;
            /** @description Mood of the message, where it was judged. */
            sentiment?: components["schemas"]["Sentiment"] | null;
        };
        /** @description The state of a support ticket. What is left out stays as it is. */
        PlatformTicket: {
            subject: string;
            description?: string;
            status?: components["schemas"]["TicketStatus"];
            priority?: components["schemas"]["TicketPriority"];
            requester?: components["schemas"]["PersonInput"];
            chatbot_external_id?: components["schemas"]["NullableExternalId"];
            lead_external_id?: components["schemas"]["NullableExternalId"];
            conversation_external_id?: components["schemas"]["NullableExternalId"];
        };
        /** @description The state of a meeting. What is left out stays as it is. */
        PlatformMeeting: {
            title: string;
            status?: components["schemas"]["MeetingStatus"];
            /** Format: date-time */
            starts_at: string;
            /**
             * Format: date-time
             * @description Not before `starts_at`.
             */
            ends_at: string;
            /** @description IANA time zone, for example Europe/Vienna. */
            timezone: string;
            location?: string | null;
            /** @description Replaces all attendees. */
            attendees?: components["schemas"]["PersonInput"][];
            chatbot_external_id?: components["schemas"]["NullableExternalId"];
            lead_external_id?: components["schemas"]["NullableExternalId"];
        };
        /** @description What a visitor thinks of a message. The rating may change. */
        PlatformMessageFeedback: {
            message_external_id: components["schemas"]["ExternalId"];
            /** @enum {string} */
            rating: "positive" | "negative";
            comment?: string | null;
        };
        MessageFeedback: {
            id: string;
            /** @constant */
            type: "message_feedback";
            attributes: {
                message_id: string;
                conversation_id: string;
                chatbot_id: string;
                /** @enum {string} */
                rating: "positive" | "negative";
                comment: string | null;
                created_at: components["schemas"]["Timestamp"];
            };
        };
        /** @description An action that a chatbot ran. It happened, so it stays as it was reported first. */
        PlatformToolRun: {
            chatbot_external_id: components["schemas"]["ExternalId"];
            conversation_external_id?: components["schemas"]["NullableExternalId"];
            /** @description Name of the action. */
            tool: string;
            /** @enum {string} */
            status: "executed" | "failed";
            /** @description Why it failed. */
            error?: string | null;
            duration_ms: number;
        };
        ToolRun: {
            id: string;
            /** @constant */
            type: "tool_run";
            attributes: {
                chatbot_id: string;
                conversation_id: string | null;
                /** @description Name of the action. */
                tool: string;
                /** @enum {string} */
                status: "executed" | "failed";
                /** @description Why it failed. */
                error: string | null;
                duration_ms: number;
                created_at: components["schemas"]["Timestamp"];
            };
        };
        /**
         * @description What is counted.
         * @enum {string}
         */
        UsageMetric: "messages";
        /** @description Some use of what the plan includes in a month. A changed quantity corrects the month's sum. */
        PlatformUsageRecord: {
            metric: components["schemas"]["UsageMetric"];
            quantity: number;
            /**
             * Format: date-time
             * @description Says which month (UTC) it counts in; now, when left out.
             */
            occurred_at?: string;
        };
        UsageRecord: {
            id: string;
            /** @constant */
            type: "usage_record";
            attributes: {
                metric: components["schemas"]["UsageMetric"];
                quantity: number;
                occurred_at: components["schemas"]["Timestamp"];
                created_at: components["schemas"]["Timestamp"];
                updated_at: components["schemas"]["Timestamp"];
            };
        };
        /** @description One record of a batch, told apart by `type`. */
        PlatformItem: {
            /** @constant */
            type: "chatbot";
            external_id: components["schemas"]["ExternalId"];
            attributes: components["schemas"]["PlatformChatbot"];
        } | {
            /** @constant */
            type: "lead";
            external_id: components["schemas"]["ExternalId"];
            attributes: components["schemas"]["PlatformLead"];
        } | {
            /** @constant */
            type: "conversation";
            external_id: components["schemas"]["ExternalId"];
            attributes: components["schemas"]["PlatformConversation"];
        } | {
            /** @constant */
            type: "message";
            external_id: components["schemas"]["ExternalId"];
            attributes: components["schemas"]["PlatformMessage"];
        } | {
            /** @constant */
            type: "ticket";
            external_id: components["schemas"]["ExternalId"];
            attributes: components["schemas"]["PlatformTicket"];
        } | {
            /** @constant */
            type: "meeting";
            external_id: components["schemas"]["ExternalId"];
            attributes: components["schemas"]["PlatformMeeting"];
        } | {
            /** @constant */
            type: "message_feedback";
            external_id: components["schemas"]["ExternalId"];
            attributes: components["schemas"]["PlatformMessageFeedback"];
        } | {
            /** @constant */
            type: "tool_run";
            external_id: components["schemas"]["ExternalId"];
            attributes: components["schemas"]["PlatformToolRun"];
        } | {
            /** @constant */
            type: "usage_record";
            external_id: components["schemas"]["ExternalId"];
            attributes: components["schemas"]["PlatformUsageRecord"];
        };
        /** @description What became of one item. */
        BatchResult: {
            /** @description Place of the item in the request, from 0. */
            index: number;
            result: components["schemas"]["UpsertResult"];
            /** @description Kind of the record. */
            type: string;
            external_id: components["schemas"]["ExternalId"];
            /** @description Id of the record. */
            id: string;
        } | {
            /** @description Place of the item in the request, from 0. */
            index: number;
            /** @constant */
            result: "failed";
            /** @description Code for programs. */
            error: string;
            /** @description For people; names the field, what was wrong and what is accepted. */
            error_description: string;
        };
        BatchMeta: {
            /**
             * @description Version of the API that answered.
             * @constant
             */
            api_version: "2024-01-01";
            /** @description Number of items in the request. */
            count: number;
            created: number;
            updated: number;
            unchanged: number;
            failed: number;
        };
        HealthStatus: {
            /** @constant */
            status: "ok";
        };
        Usage: {
            id: string;
            /** @constant */
            type: "usage";
            attributes: {
                metric: components["schemas"]["UsageMetric"];
                period_start: components["schemas"]["Timestamp"];
                period_end: components["schemas"]["Timestamp"];
                /** @description What the plan includes in the period. */
                allowance: number;
                used: number;
                /**
                 * @description The share of the allowance that was reached.
                 * @enum {integer}
                 */
                threshold_percent: 80 | 100;
            };
        };
    };
    responses: {
        /** @description The request did not pass validation; the description names the field. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_request",
                 *       "error_description": "query/limit must be an integer from 1 to 100"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Authorization` header is missing or malformed (`unauthorized`), or the access token is expired or invalid (`invalid_token`). */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_token",
                 *       "error_description": "The access token is expired or invalid."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The organization is not on a paid plan. */
        PlanRequired: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "plan_required",
                 *       "error_description": "API access requires the Starter plan or higher."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The rate limit of the plan is exceeded. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "rate_limit_exceeded",
                 *       "error_description": "Rate limit exceeded. Retry after 60 seconds."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something failed inside. */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "server_error",
                 *       "error_description": "An internal error occurred."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database cannot be reached at the moment. A change whose answer was lost this way may have been made. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "server_error",
                 *       "error_description": "The service is temporarily unavailable."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such record in this organization. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "not_found",
                 *       "error_description": "There is no such record."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The organization is not on a paid plan (`plan_required`), or the token lacks the scope (`insufficient_scope`). */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "insufficient_scope",
                 *       "error_description": "This request needs the scope leads:read."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_request",
                 *       "error_description": "The body is larger than 1,048,576 bytes."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body's content type is not one that the operation takes. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_request",
                 *       "error_description": "Content-Type must be application/json."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The page, as HTML: sign in, then consent. */
        AuthorizationPage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html><title>Sign in to Parley</title> */
                "text/html": string;
            };
        };
        /**
         * @description Back to the client's `redirect_uri`: with `code`, `state` and `iss` when the user agreed, with `error`, `state` and `iss`
         *     when not or when the request cannot be met.
         */
        AuthorizationRedirect: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description The redirect URI with the answer in its query.
                 * @example https://app.example.com/callback?code=parley_ac_Zm9v&state=xyz&iss=https%3A%2F%2Fparley.example.com
                 */
                Location?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description The client or the redirect URI cannot be trusted, the form was not ours, or something failed inside: the user stays here and
         *     reads why.
         */
        AuthorizationErrorPage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html><title>This link cannot be used</title> */
                "text/html": string;
            };
        };
        /**
         * @description The app belongs to another organization than the user: the user stays here, reads why, and may sign in as somebody else. Or the form
         *     was sent from another site.
         */
        AuthorizationForeignClient: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html><title>This app is not for your account</title> */
                "text/html": string;
            };
        };
        /** @description Too many attempts, or the service is not available. The user reads when to try again. */
        RetryLaterPage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html><title>Please wait</title> */
                "text/html": string;
            };
        };
        /** @description The request was refused; `error` says why. */
        OAuthError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_grant",
                 *       "error_description": "The authorization code is expired or invalid."
                 *     }
                 */
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The client is unknown or its secret is wrong. `WWW-Authenticate` is there when HTTP Basic was tried. */
        OAuthInvalidClient: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_client",
                 *       "error_description": "The client_id or client_secret is wrong."
                 *     }
                 */
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Too many requests with wrong client credentials from this address. */
        OAuthTooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "rate_limit_exceeded",
                 *       "error_description": "Too many failed attempts. Try again in 40 seconds."
                 *     }
                 */
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The request line or a header is malformed. */
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_request",
                 *       "error_description": "The request is malformed."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The page, as HTML; without a session, the sign-in form in its place. */
        AccountPage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html><title>Connected apps</title> */
                "text/html": string;
            };
        };
        /** @description The form was not ours, or something failed inside. The user reads why, and the way back. */
        AccountErrorPage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html><title>That did not work</title> */
                "text/html": string;
            };
        };
        /** @description The form was taken. What came of it is on the page that this leads to, so that reloading repeats nothing. */
        AccountRedirect: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description A page of this server.
                 * @example /account/apps
                 */
                Location?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The user is signed in and is no admin of the organization, or the form was sent from another site. */
        AccountNotForYou: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html><title>Ask your admin</title> */
                "text/html": string;
            };
        };
        /** @description The organization has no such app. */
        AccountNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html><title>Nothing is here</title> */
                "text/html": string;
            };
        };
        /** @description The `Authorization` header is missing or malformed (`unauthorized`), or the platform key is unknown (`invalid_token`). */
        PlatformUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_token",
                 *       "error_description": "The platform key is unknown."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any 2xx within 10 seconds means that the delivery arrived. The body is not read by the sender. */
        DeliveryAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Everything but a 2xx is a failed attempt and is retried; `410 Gone` pauses the subscription at once. */
        DeliveryRefused: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description Records to return.
         * @example 50
         */
        ChatbotLimit: number;
        /**
         * @description Records to skip.
         * @example 0
         */
        Offset: number;
        /** @description Only chatbots in this state. */
        ChatbotStatusFilter: components["schemas"]["ChatbotStatus"];
        /**
         * @description Only records updated at or after this time, for polling. RFC 3339 with `Z` or an offset.
         * @example 2026-03-01T09:00:00Z
         */
        Since: string;
        /**
         * @description Id of the chatbot.
         * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a001
         */
        ChatbotPathId: string;
        /**
         * @description Records to return.
         * @example 20
         */
        Limit: number;
        /**
         * @description Only records of this chatbot. An unknown id gives an empty list.
         * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a001
         */
        ChatbotId: string;
        /** @description Only conversations in this state. */
        ConversationStatusFilter: components["schemas"]["ConversationStatus"];
        /**
         * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
         *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
         *     with another request is refused with 400.
         * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
         */
        IdempotencyKey: string;
        /**
         * @description Id of the conversation.
         * @example 01928c5e-9a11-7b33-8c44-2d8f04b2cb33
         */
        ConversationId: string;
        /** @description Only leads in this state. */
        LeadStatusFilter: components["schemas"]["LeadStatus"];
        /**
         * @description Id of the lead.
         * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a911
         */
        LeadId: string;
        /** @description Only tickets in this state. */
        TicketStatusFilter: components["schemas"]["TicketStatus"];
        /**
         * @description Id of the ticket.
         * @example 01928c5f-0b21-7d55-9e32-1c7ef3a1ba22
         */
        TicketId: string;
        /** @description Only meetings in this state. */
        MeetingStatusFilter: components["schemas"]["MeetingStatus"];
        /**
         * @description Id of the meeting.
         * @example 01928c60-0c32-7e66-8f43-2d8f04b2cb44
         */
        MeetingId: string;
        /**
         * @description Only subscriptions with exactly this target URL, to look before subscribing.
         * @example https://hooks.example.com/parley
         */
        TargetUrlFilter: string;
        /**
         * @description Id of the subscription.
         * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
         */
        SubscriptionId: string;
        /** @description Only deliveries in this state. */
        DeliveryStatusFilter: components["schemas"]["DeliveryStatus"];
        /** @description Only deliveries of this event type. */
        EventTypeFilter: components["schemas"]["EventType"];
        /**
         * @description Only deliveries whose time is not before this one. It is that of the last attempt, of a pending one its creation. RFC 3339.
         * @example 2026-03-01T09:00:00Z
         */
        DeliveriesSince: string;
        /**
         * @description Only deliveries whose time is before this one. It is that of the last attempt, of a pending one its creation. RFC 3339.
         * @example 2026-03-01T10:00:00Z
         */
        DeliveriesUntil: string;
        /**
         * @description Id of the delivery, the value of `X-Parley-Delivery`.
         * @example 01928c61-2a03-7c9f-b4d5-6e7f8091a203
         */
        DeliveryPathId: string;
        /**
         * @description The event type; all of them when it is left out.
         * @example lead.created
         */
        SampleType: components["schemas"]["EventType"];
        /**
         * @description Client identifier of one of the organization's own apps.
         * @example parley_ci_4f0c2a8e6b1d3957ac82e0f1
         */
        ClientPathId: string;
        /**
         * @description Id of the organization that the record belongs to.
         * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
         */
        OrganizationId: string;
        /**
         * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
         * @example crm-4711
         */
        ExternalId: components["schemas"]["ExternalId"];
        /**
         * @description A value of your own, unique to this batch, for example a UUID. It holds for each item at its place: for 24 hours an item that
         *     was written gets its first result again and changes nothing, and another item at that place fails and says so.
         * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
         */
        BatchIdempotencyKey: string;
        /**
         * @description `sha256=` followed by the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`, keyed with the subscription's secret.
         * @example sha256=224e49e8d9435ef00c74def6e4cca5b7984f000fb2eced5e6dd018cdc67c7200
         */
        ParleySignature: string;
        /**
         * @description Unix time in seconds, the same value that is in the signed string. Reject a delivery when it differs from your clock
         *     by more than 300 seconds, in either direction, or when it is missing.
         * @example 1772359200
         */
        ParleyTimestamp: string;
        /** @description The event type, the same as `type` in the body. */
        ParleyEvent: components["schemas"]["EventType"];
        /**
         * @description Delivery log identifier, the same at every retry. Use it to notice a delivery that you already handled.
         * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
         */
        ParleyDelivery: string;
        /**
         * @description The same as `X-Parley-Delivery`, for Standard Webhooks libraries.
         * @example 01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b
         */
        WebhookId: string;
        /**
         * @description The same as `X-Parley-Timestamp`, for Standard Webhooks libraries.
         * @example 1772359200
         */
        WebhookTimestamp: string;
        /**
         * @description `v1,` followed by the base64 HMAC SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw_body>` with the same secret,
         *     for Standard Webhooks libraries.
         * @example v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=
         */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies the request in the server's log; name it when you ask for help. A value of your own in the
         *     request's `X-Request-Id` (1 to 128 of `A-Z a-z 0-9 . _ -`) is taken over.
         * @example 01928c5e-6f0a-7d3e-9d55-3a8f1c2b4e60
         */
        XRequestId: string;
        /**
         * @description Requests that the organization's plan allows in a minute. Sent with every response to a request that was counted.
         * @example 300
         */
        XRateLimitLimit: number;
        /**
         * @description Requests left in the current minute.
         * @example 299
         */
        XRateLimitRemaining: number;
        /**
         * @description Seconds until the count starts anew.
         * @example 42
         */
        XRateLimitReset: number;
        /**
         * @description How to authenticate, RFC 6750 section 3.
         * @example Bearer realm="parley", error="invalid_token"
         */
        WwwAuthenticate: string;
        /**
         * @description Seconds to wait before the next request.
         * @example 42
         */
        RetryAfter: number;
        /**
         * @description Present when this is the first answer again, to a repeated `Idempotency-Key`.
         * @example true
         */
        IdempotentReplayed: "true";
        /**
         * @description Path of what was created.
         * @example /api/v1/leads/01928c5e-7a10-7c44-8d21-0b6de2f0a911
         */
        Location: string;
        /**
         * @description Tokens are never stored, RFC 6749 section 5.1.
         * @example no-store
         */
        CacheControl: "no-store";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listChatbots: {
        parameters: {
            query?: {
                /**
                 * @description Records to return.
                 * @example 50
                 */
                limit?: components["parameters"]["ChatbotLimit"];
                /**
                 * @description Records to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Only chatbots in this state. */
                status?: components["parameters"]["ChatbotStatusFilter"];
                /**
                 * @description Only records updated at or after this time, for polling. RFC 3339 with `Z` or an offset.
                 * @example 2026-03-01T09:00:00Z
                 */
                since?: components["parameters"]["Since"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest change first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "type": "chatbot",
                     *           "attributes": {
                     *             "name": "Sales assistant",
                     *             "description": "Answers questions about plans and prices.",
                     *             "model": "parley-large",
                     *             "status": "active",
                     *             "created_at": "2026-01-12T08:00:00.000Z",
                     *             "updated_at": "2026-02-20T16:30:00.000Z"
                     *           },
                     *           "label": "Sales assistant",
                     *           "value": "01928c5e-7a10-7c44-8d21-0b6de2f0a001"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "total": 1,
                     *         "limit": 50,
                     *         "offset": 0,
                     *         "has_more": false,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Chatbot"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PlanRequired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChatbot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the chatbot.
                 * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a001
                 */
                id: components["parameters"]["ChatbotPathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chatbot. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *         "type": "chatbot",
                     *         "attributes": {
                     *           "name": "Sales assistant",
                     *           "description": "Answers questions about plans and prices.",
                     *           "model": "parley-large",
                     *           "status": "active",
                     *           "created_at": "2026-01-12T08:00:00.000Z",
                     *           "updated_at": "2026-02-20T16:30:00.000Z"
                     *         },
                     *         "label": "Sales assistant",
                     *         "value": "01928c5e-7a10-7c44-8d21-0b6de2f0a001"
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Chatbot"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /**
                 * @description Records to return.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Records to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only records of this chatbot. An unknown id gives an empty list.
                 * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a001
                 */
                chatbot_id?: components["parameters"]["ChatbotId"];
                /** @description Only conversations in this state. */
                status?: components["parameters"]["ConversationStatusFilter"];
                /**
                 * @description Only records updated at or after this time, for polling. RFC 3339 with `Z` or an offset.
                 * @example 2026-03-01T09:00:00Z
                 */
                since?: components["parameters"]["Since"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest change first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "type": "conversation",
                     *           "attributes": {
                     *             "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *             "lead_id": null,
                     *             "status": "open",
                     *             "channel": "web",
                     *             "visitor": {
                     *               "name": "Ben Okafor",
                     *               "email": "ben@example.com"
                     *             },
                     *             "sentiment": null,
                     *             "message_count": 1,
                     *             "started_at": "2026-03-01T08:55:00.000Z",
                     *             "ended_at": null,
                     *             "updated_at": "2026-03-01T08:55:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "has_more": false,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Conversation"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startConversation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                 *       "channel": "web",
                 *       "visitor": {
                 *         "name": "Ben Okafor",
                 *         "email": "ben@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConversationCreate"];
            };
        };
        responses: {
            /** @description The conversation was started. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *         "type": "conversation",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "status": "open",
                     *           "channel": "web",
                     *           "visitor": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "sentiment": null,
                     *           "message_count": 0,
                     *           "started_at": "2026-03-01T08:55:00.000Z",
                     *           "ended_at": null,
                     *           "updated_at": "2026-03-01T08:55:00.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the conversation.
                 * @example 01928c5e-9a11-7b33-8c44-2d8f04b2cb33
                 */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *         "type": "conversation",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "status": "open",
                     *           "channel": "web",
                     *           "visitor": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "sentiment": null,
                     *           "message_count": 1,
                     *           "started_at": "2026-03-01T08:55:00.000Z",
                     *           "ended_at": null,
                     *           "updated_at": "2026-03-01T08:55:00.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /**
                 * @description Records to return.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Records to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /**
                 * @description Id of the conversation.
                 * @example 01928c5e-9a11-7b33-8c44-2d8f04b2cb33
                 */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44",
                     *           "type": "message",
                     *           "attributes": {
                     *             "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *             "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *             "role": "visitor",
                     *             "text": "Where do I change the address on my invoice?",
                     *             "sentiment": "neutral",
                     *             "created_at": "2026-03-01T08:55:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "has_more": false,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the conversation.
                 * @example 01928c5e-9a11-7b33-8c44-2d8f04b2cb33
                 */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "visitor",
                 *       "text": "Where do I change the address on my invoice?",
                 *       "sentiment": "neutral"
                 *     }
                 */
                "application/json": components["schemas"]["MessageCreate"];
            };
        };
        responses: {
            /** @description The message was added. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44",
                     *         "type": "message",
                     *         "attributes": {
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "role": "visitor",
                     *           "text": "Where do I change the address on my invoice?",
                     *           "sentiment": "neutral",
                     *           "created_at": "2026-03-01T08:55:00.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endConversation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the conversation.
                 * @example 01928c5e-9a11-7b33-8c44-2d8f04b2cb33
                 */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation is over. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *         "type": "conversation",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "status": "ended",
                     *           "channel": "web",
                     *           "visitor": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "sentiment": "neutral",
                     *           "message_count": 6,
                     *           "started_at": "2026-03-01T08:55:00.000Z",
                     *           "ended_at": "2026-03-01T09:20:00.000Z",
                     *           "updated_at": "2026-03-01T09:20:00.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLeads: {
        parameters: {
            query?: {
                /**
                 * @description Records to return.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Records to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only records of this chatbot. An unknown id gives an empty list.
                 * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a001
                 */
                chatbot_id?: components["parameters"]["ChatbotId"];
                /** @description Only leads in this state. */
                status?: components["parameters"]["LeadStatusFilter"];
                /**
                 * @description Only records updated at or after this time, for polling. RFC 3339 with `Z` or an offset.
                 * @example 2026-03-01T09:00:00Z
                 */
                since?: components["parameters"]["Since"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest change first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *           "type": "lead",
                     *           "attributes": {
                     *             "contact": {
                     *               "name": "Ada Novak",
                     *               "email": "ada@example.com",
                     *               "phone": "+43 1 5550100",
                     *               "company": "Novak Ltd"
                     *             },
                     *             "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *             "status": "qualified",
                     *             "score": 82,
                     *             "qualification": {
                     *               "budget": "10-20k",
                     *               "timeline": "this quarter"
                     *             },
                     *             "source": "https://example.com/pricing",
                     *             "created_at": "2026-03-01T09:00:00.000Z",
                     *             "updated_at": "2026-03-01T09:05:12.345Z",
                     *             "qualified_at": "2026-03-01T09:05:12.345Z",
                     *             "converted_at": null
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "has_more": false,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Lead"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                 *       "contact": {
                 *         "name": "Ada Novak",
                 *         "email": "ada@example.com",
                 *         "company": "Novak Ltd"
                 *       },
                 *       "score": 40,
                 *       "qualification": {
                 *         "budget": "10-20k"
                 *       },
                 *       "source": "https://example.com/pricing"
                 *     }
                 */
                "application/json": components["schemas"]["LeadCreate"];
            };
        };
        responses: {
            /** @description The lead was created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *         "type": "lead",
                     *         "attributes": {
                     *           "contact": {
                     *             "name": "Ada Novak",
                     *             "email": "ada@example.com",
                     *             "phone": null,
                     *             "company": "Novak Ltd"
                     *           },
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "status": "new",
                     *           "score": 40,
                     *           "qualification": {
                     *             "budget": "10-20k"
                     *           },
                     *           "source": "https://example.com/pricing",
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-01T09:00:00.000Z",
                     *           "qualified_at": null,
                     *           "converted_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Lead"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the lead.
                 * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a911
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *         "type": "lead",
                     *         "attributes": {
                     *           "contact": {
                     *             "name": "Ada Novak",
                     *             "email": "ada@example.com",
                     *             "phone": "+43 1 5550100",
                     *             "company": "Novak Ltd"
                     *           },
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "status": "qualified",
                     *           "score": 82,
                     *           "qualification": {
                     *             "budget": "10-20k",
                     *             "timeline": "this quarter"
                     *           },
                     *           "source": "https://example.com/pricing",
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-01T09:05:12.345Z",
                     *           "qualified_at": "2026-03-01T09:05:12.345Z",
                     *           "converted_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Lead"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the lead.
                 * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a911
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "score": 82,
                 *       "contact": {
                 *         "phone": "+43 1 5550100"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadUpdate"];
            };
        };
        responses: {
            /** @description The lead after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *         "type": "lead",
                     *         "attributes": {
                     *           "contact": {
                     *             "name": "Ada Novak",
                     *             "email": "ada@example.com",
                     *             "phone": "+43 1 5550100",
                     *             "company": "Novak Ltd"
                     *           },
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "status": "qualified",
                     *           "score": 82,
                     *           "qualification": {
                     *             "budget": "10-20k",
                     *             "timeline": "this quarter"
                     *           },
                     *           "source": "https://example.com/pricing",
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-01T09:05:12.345Z",
                     *           "qualified_at": "2026-03-01T09:05:12.345Z",
                     *           "converted_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Lead"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTickets: {
        parameters: {
            query?: {
                /**
                 * @description Records to return.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Records to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only records of this chatbot. An unknown id gives an empty list.
                 * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a001
                 */
                chatbot_id?: components["parameters"]["ChatbotId"];
                /** @description Only tickets in this state. */
                status?: components["parameters"]["TicketStatusFilter"];
                /**
                 * @description Only records updated at or after this time, for polling. RFC 3339 with `Z` or an offset.
                 * @example 2026-03-01T09:00:00Z
                 */
                since?: components["parameters"]["Since"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest change first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
                     *           "type": "ticket",
                     *           "attributes": {
                     *             "subject": "Invoice shows the wrong address",
                     *             "description": "The visitor moved in January and wants a corrected invoice.",
                     *             "status": "open",
                     *             "priority": "normal",
                     *             "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *             "lead_id": null,
                     *             "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *             "requester": {
                     *               "name": "Ben Okafor",
                     *               "email": "ben@example.com"
                     *             },
                     *             "created_at": "2026-03-01T10:00:00.000Z",
                     *             "updated_at": "2026-03-01T10:00:00.000Z",
                     *             "resolved_at": null
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "has_more": false,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Ticket"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTicket: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subject": "Invoice shows the wrong address",
                 *       "description": "The visitor moved in January and wants a corrected invoice.",
                 *       "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                 *       "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                 *       "requester": {
                 *         "name": "Ben Okafor",
                 *         "email": "ben@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TicketCreate"];
            };
        };
        responses: {
            /** @description The ticket was created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
                     *         "type": "ticket",
                     *         "attributes": {
                     *           "subject": "Invoice shows the wrong address",
                     *           "description": "The visitor moved in January and wants a corrected invoice.",
                     *           "status": "open",
                     *           "priority": "normal",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "requester": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "created_at": "2026-03-01T10:00:00.000Z",
                     *           "updated_at": "2026-03-01T10:00:00.000Z",
                     *           "resolved_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Ticket"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the ticket.
                 * @example 01928c5f-0b21-7d55-9e32-1c7ef3a1ba22
                 */
                id: components["parameters"]["TicketId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ticket. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
                     *         "type": "ticket",
                     *         "attributes": {
                     *           "subject": "Invoice shows the wrong address",
                     *           "description": "The visitor moved in January and wants a corrected invoice.",
                     *           "status": "open",
                     *           "priority": "normal",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "requester": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "created_at": "2026-03-01T10:00:00.000Z",
                     *           "updated_at": "2026-03-01T10:00:00.000Z",
                     *           "resolved_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Ticket"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the ticket.
                 * @example 01928c5f-0b21-7d55-9e32-1c7ef3a1ba22
                 */
                id: components["parameters"]["TicketId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "resolved"
                 *     }
                 */
                "application/json": components["schemas"]["TicketUpdate"];
            };
        };
        responses: {
            /** @description The ticket after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
                     *         "type": "ticket",
                     *         "attributes": {
                     *           "subject": "Invoice shows the wrong address",
                     *           "description": "The visitor moved in January and wants a corrected invoice.",
                     *           "status": "resolved",
                     *           "priority": "normal",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "requester": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "created_at": "2026-03-01T10:00:00.000Z",
                     *           "updated_at": "2026-03-01T12:00:00.000Z",
                     *           "resolved_at": "2026-03-01T12:00:00.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Ticket"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMeetings: {
        parameters: {
            query?: {
                /**
                 * @description Records to return.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Records to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only records of this chatbot. An unknown id gives an empty list.
                 * @example 01928c5e-7a10-7c44-8d21-0b6de2f0a001
                 */
                chatbot_id?: components["parameters"]["ChatbotId"];
                /** @description Only meetings in this state. */
                status?: components["parameters"]["MeetingStatusFilter"];
                /**
                 * @description Only records updated at or after this time, for polling. RFC 3339 with `Z` or an offset.
                 * @example 2026-03-01T09:00:00Z
                 */
                since?: components["parameters"]["Since"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest change first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
                     *           "type": "meeting",
                     *           "attributes": {
                     *             "title": "Product demo",
                     *             "status": "scheduled",
                     *             "starts_at": "2026-03-05T14:00:00.000Z",
                     *             "ends_at": "2026-03-05T14:30:00.000Z",
                     *             "timezone": "Europe/Vienna",
                     *             "location": "https://meet.example.com/ada",
                     *             "attendees": [
                     *               {
                     *                 "name": "Ada Novak",
                     *                 "email": "ada@example.com"
                     *               }
                     *             ],
                     *             "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *             "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *             "created_at": "2026-03-01T09:10:00.000Z",
                     *             "updated_at": "2026-03-01T09:10:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "has_more": false,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Meeting"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMeeting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the meeting.
                 * @example 01928c60-0c32-7e66-8f43-2d8f04b2cb44
                 */
                id: components["parameters"]["MeetingId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The meeting. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
                     *         "type": "meeting",
                     *         "attributes": {
                     *           "title": "Product demo",
                     *           "status": "scheduled",
                     *           "starts_at": "2026-03-05T14:00:00.000Z",
                     *           "ends_at": "2026-03-05T14:30:00.000Z",
                     *           "timezone": "Europe/Vienna",
                     *           "location": "https://meet.example.com/ada",
                     *           "attendees": [
                     *             {
                     *               "name": "Ada Novak",
                     *               "email": "ada@example.com"
                     *             }
                     *           ],
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *           "created_at": "2026-03-01T09:10:00.000Z",
                     *           "updated_at": "2026-03-01T09:10:00.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Meeting"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target_url": "https://hooks.example.com/parley",
                 *       "event_types": [
                 *         "lead.created",
                 *         "lead.qualified"
                 *       ],
                 *       "filters": {
                 *         "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SubscriptionCreate"];
            };
        };
        responses: {
            /** @description The subscription was created and is active. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *         "target_url": "https://hooks.example.com/parley",
                     *         "event_types": [
                     *           "lead.created",
                     *           "lead.qualified"
                     *         ],
                     *         "filters": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001"
                     *         },
                     *         "status": "active",
                     *         "secret": "parley_ws_q4yJ8m2Zk0b1xv7Tn3cWf9Rd6hLs5gPaEuYiOoKjHwM",
                     *         "created_at": "2026-03-01T09:00:00.000Z"
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CreatedSubscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /**
                 * @description Only subscriptions with exactly this target URL, to look before subscribing.
                 * @example https://hooks.example.com/parley
                 */
                target_url?: components["parameters"]["TargetUrlFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All subscriptions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *           "target_url": "https://hooks.example.com/parley",
                     *           "event_types": [
                     *             "lead.created",
                     *             "lead.qualified"
                     *           ],
                     *           "filters": {
                     *             "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001"
                     *           },
                     *           "status": "active",
                     *           "failure_count": 0,
                     *           "failed_at": null,
                     *           "failure_reason": null,
                     *           "last_delivery_at": "2026-03-01T09:12:31.000Z",
                     *           "rotates_at": null,
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "total": 1,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subscription"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *         "target_url": "https://hooks.example.com/parley",
                     *         "event_types": [
                     *           "lead.created",
                     *           "lead.qualified"
                     *         ],
                     *         "filters": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001"
                     *         },
                     *         "status": "active",
                     *         "failure_count": 0,
                     *         "failed_at": null,
                     *         "failure_reason": null,
                     *         "last_delivery_at": "2026-03-01T09:12:31.000Z",
                     *         "rotates_at": null,
                     *         "created_at": "2026-03-01T09:00:00.000Z",
                     *         "updated_at": "2026-03-01T09:00:00.000Z"
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *         "deleted": true
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeletedSubscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event_types": [
                 *         "lead.created",
                 *         "lead.qualified",
                 *         "lead.converted"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SubscriptionUpdate"];
            };
        };
        responses: {
            /** @description The subscription after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *         "target_url": "https://hooks.example.com/parley",
                     *         "event_types": [
                     *           "lead.created",
                     *           "lead.qualified",
                     *           "lead.converted"
                     *         ],
                     *         "filters": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001"
                     *         },
                     *         "status": "active",
                     *         "failure_count": 0,
                     *         "failed_at": null,
                     *         "failure_reason": null,
                     *         "last_delivery_at": "2026-03-01T09:12:31.000Z",
                     *         "rotates_at": null,
                     *         "created_at": "2026-03-01T09:00:00.000Z",
                     *         "updated_at": "2026-03-01T09:00:00.000Z"
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "fill_gap": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Whether to deliver what happened meanwhile.
                     * @default false
                     */
                    fill_gap?: boolean;
                };
            };
        };
        responses: {
            /** @description The subscription is active. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *         "target_url": "https://hooks.example.com/parley",
                     *         "event_types": [
                     *           "lead.created",
                     *           "lead.qualified"
                     *         ],
                     *         "filters": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001"
                     *         },
                     *         "status": "active",
                     *         "failure_count": 0,
                     *         "failed_at": null,
                     *         "failure_reason": "the receiver answered 503",
                     *         "last_delivery_at": "2026-03-01T09:12:31.000Z",
                     *         "rotates_at": null,
                     *         "created_at": "2026-03-01T09:00:00.000Z",
                     *         "updated_at": "2026-03-01T09:00:00.000Z"
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "gap_deliveries": 12
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subscription"];
                        meta: components["schemas"]["ResumeMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "event_type": "lead.created"
                 *     }
                 */
                "application/json": {
                    /** @description Which event; the first one of the subscription when it is left out. */
                    event_type?: components["schemas"]["EventType"];
                };
            };
        };
        responses: {
            /** @description The test was sent; the attempt tells whether it was accepted. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c61-2a03-7c9f-b4d5-6e7f8091a203",
                     *         "type": "delivery",
                     *         "attributes": {
                     *           "subscription_id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *           "event_id": "01928c61-2a02-7b11-8c22-1d2e3f405162",
                     *           "event_type": "lead.created",
                     *           "test": true,
                     *           "status": "delivered",
                     *           "attempt_count": 1,
                     *           "last_attempt": {
                     *             "number": 1,
                     *             "attempted_at": "2026-03-01T09:12:31.000Z",
                     *             "duration_ms": 84,
                     *             "status_code": 200,
                     *             "error": null,
                     *             "response_body": "ok"
                     *           },
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-03-01T09:12:31.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "immediately": false
                 *     }
                 */
                "application/json": {
                    /**
                     * @description For a secret that got into wrong hands.
                     * @default false
                     */
                    immediately?: boolean;
                };
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *         "secret": "parley_ws_z9xK7n1Yl3c2wu6Sm4bVe8Qc5gKr0fOdZtXhNiLjGvI",
                     *         "signs_from": "2026-03-02T09:00:00.000Z"
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description Subscription identifier. */
                            id: string;
                            /** @description The new signing secret. */
                            secret: string;
                            signs_from: components["schemas"]["Timestamp"];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Records to return.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Records to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Only deliveries in this state. */
                status?: components["parameters"]["DeliveryStatusFilter"];
                /** @description Only deliveries of this event type. */
                event_type?: components["parameters"]["EventTypeFilter"];
                /**
                 * @description Only deliveries whose time is not before this one. It is that of the last attempt, of a pending one its creation. RFC 3339.
                 * @example 2026-03-01T09:00:00Z
                 */
                since?: components["parameters"]["DeliveriesSince"];
                /**
                 * @description Only deliveries whose time is before this one. It is that of the last attempt, of a pending one its creation. RFC 3339.
                 * @example 2026-03-01T10:00:00Z
                 */
                until?: components["parameters"]["DeliveriesUntil"];
            };
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01928c61-2a03-7c9f-b4d5-6e7f8091a203",
                     *           "type": "delivery",
                     *           "attributes": {
                     *             "subscription_id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *             "event_id": "01928c61-0001-7b1c-9a2d-3c4d5e6f7a80",
                     *             "event_type": "lead.created",
                     *             "test": false,
                     *             "status": "delivered",
                     *             "attempt_count": 1,
                     *             "last_attempt": {
                     *               "number": 1,
                     *               "attempted_at": "2026-03-01T09:12:31.000Z",
                     *               "duration_ms": 84,
                     *               "status_code": 200,
                     *               "error": null,
                     *               "response_body": "ok"
                     *             },
                     *             "next_attempt_at": null,
                     *             "created_at": "2026-03-01T09:12:30.900Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "has_more": false,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
                /**
                 * @description Id of the delivery, the value of `X-Parley-Delivery`.
                 * @example 01928c61-2a03-7c9f-b4d5-6e7f8091a203
                 */
                delivery_id: components["parameters"]["DeliveryPathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c61-2a03-7c9f-b4d5-6e7f8091a203",
                     *         "type": "delivery",
                     *         "attributes": {
                     *           "subscription_id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *           "event_id": "01928c61-0001-7b1c-9a2d-3c4d5e6f7a80",
                     *           "event_type": "lead.created",
                     *           "test": false,
                     *           "status": "delivered",
                     *           "attempt_count": 1,
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-03-01T09:12:30.900Z",
                     *           "attempts": [
                     *             {
                     *               "number": 1,
                     *               "attempted_at": "2026-03-01T09:12:31.000Z",
                     *               "duration_ms": 84,
                     *               "status_code": 200,
                     *               "error": null,
                     *               "response_body": "ok"
                     *             }
                     *           ],
                     *           "body": "{\"id\":\"01928c61-0001-7b1c-9a2d-3c4d5e6f7a80\",\"type\":\"lead.created\",\"data\":{}}"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryDetails"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
                /**
                 * @description Id of the delivery, the value of `X-Parley-Delivery`.
                 * @example 01928c61-2a03-7c9f-b4d5-6e7f8091a203
                 */
                delivery_id: components["parameters"]["DeliveryPathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery that is due now, and sent as soon as the subscription does not pause. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c9a-3b04-7c9f-b4d5-6e7f8091a203",
                     *         "type": "delivery",
                     *         "attributes": {
                     *           "subscription_id": "01928c60-11f2-7b8e-a3c4-5d6e7f809102",
                     *           "event_id": "01928c61-0001-7b1c-9a2d-3c4d5e6f7a80",
                     *           "event_type": "lead.created",
                     *           "test": false,
                     *           "status": "pending",
                     *           "attempt_count": 0,
                     *           "last_attempt": null,
                     *           "next_attempt_at": "2026-03-01T10:00:00.000Z",
                     *           "created_at": "2026-03-01T10:00:00.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverRange: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the subscription.
                 * @example 01928c60-11f2-7b8e-a3c4-5d6e7f809102
                 */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-03-01T09:00:00Z",
                 *       "until": "2026-03-01T10:00:00Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Not before this time.
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description Before this time; now, when left out.
                     */
                    until?: string;
                    /**
                     * @default exhausted
                     * @enum {string}
                     */
                    status?: "exhausted" | "delivered";
                    event_type?: components["schemas"]["EventType"];
                };
            };
        };
        responses: {
            /** @description How many deliveries are due now. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deliveries": 42
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            deliveries: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEventSamples: {
        parameters: {
            query?: {
                /**
                 * @description The event type; all of them when it is left out.
                 * @example lead.created
                 */
                type?: components["parameters"]["SampleType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A sample of each type that was asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01928c61-0000-7b1c-9a2d-3c4d5e6f7a80",
                     *           "type": "lead.created",
                     *           "api_version": "2024-01-01",
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "data": {
                     *             "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *             "type": "lead",
                     *             "attributes": {}
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "total": 1,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EventSample"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization, and what the token may do there. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c50-0000-7000-8000-000000000003",
                     *         "type": "organization",
                     *         "attributes": {
                     *           "name": "Acme Pro",
                     *           "plan": "pro",
                     *           "user": {
                     *             "id": "01928c50-0000-7000-8000-000000000103",
                     *             "name": "Petra Pro",
                     *             "email": "petra@example.com"
                     *           },
                     *           "client": {
                     *             "id": "demo-client",
                     *             "name": "Demo app"
                     *           },
                     *           "scopes": [
                     *             "leads:read",
                     *             "webhooks:manage"
                     *           ]
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Me"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PlanRequired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    authorize: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. Required.
                 * @example my-client
                 */
                client_id?: string;
                /**
                 * @description Where the user is sent after authorizing. Required.
                 * @example https://app.example.com/callback
                 */
                redirect_uri?: string;
                /**
                 * @description Must be `code`. Required.
                 * @example code
                 */
                response_type?: string;
                /**
                 * @description Scopes separated by spaces. Required.
                 * @example leads:read webhooks:manage
                 */
                scope?: string;
                /**
                 * @description Opaque string for CSRF protection. Recommended.
                 * @example af0ifjsldkj
                 */
                state?: string;
                /**
                 * @description PKCE, RFC 7636: base64url of the SHA-256 of the verifier.
                 * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
                 */
                code_challenge?: string;
                /**
                 * @description Must be `S256` when PKCE is used.
                 * @example S256
                 */
                code_challenge_method?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthorizationPage"];
            302: components["responses"]["AuthorizationRedirect"];
            303: components["responses"]["AuthorizationRedirect"];
            400: components["responses"]["AuthorizationErrorPage"];
            403: components["responses"]["AuthorizationForeignClient"];
            413: components["responses"]["AuthorizationErrorPage"];
            415: components["responses"]["AuthorizationErrorPage"];
            429: components["responses"]["RetryLaterPage"];
            500: components["responses"]["AuthorizationErrorPage"];
            503: components["responses"]["RetryLaterPage"];
        };
    };
    submitAuthorization: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. Required.
                 * @example my-client
                 */
                client_id?: string;
                /**
                 * @description Where the user is sent after authorizing. Required.
                 * @example https://app.example.com/callback
                 */
                redirect_uri?: string;
                /**
                 * @description Must be `code`. Required.
                 * @example code
                 */
                response_type?: string;
                /**
                 * @description Scopes separated by spaces. Required.
                 * @example leads:read webhooks:manage
                 */
                scope?: string;
                /**
                 * @description Opaque string for CSRF protection. Recommended.
                 * @example af0ifjsldkj
                 */
                state?: string;
                /**
                 * @description PKCE, RFC 7636: base64url of the SHA-256 of the verifier.
                 * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
                 */
                code_challenge?: string;
                /**
                 * @description Must be `S256` when PKCE is used.
                 * @example S256
                 */
                code_challenge_method?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "csrf_token": "7Jc8sV1pQe",
                 *       "action": "allow"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["AuthorizationForm"];
            };
        };
        responses: {
            200: components["responses"]["AuthorizationPage"];
            302: components["responses"]["AuthorizationRedirect"];
            303: components["responses"]["AuthorizationRedirect"];
            400: components["responses"]["AuthorizationErrorPage"];
            403: components["responses"]["AuthorizationForeignClient"];
            413: components["responses"]["AuthorizationErrorPage"];
            415: components["responses"]["AuthorizationErrorPage"];
            429: components["responses"]["RetryLaterPage"];
            500: components["responses"]["AuthorizationErrorPage"];
            503: components["responses"]["RetryLaterPage"];
        };
    };
    exchangeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
                /**
                 * @example {
                 *       "grant_type": "refresh_token",
                 *       "refresh_token": "parley_rt_2b7Yw0sN4",
                 *       "client_id": "my-client",
                 *       "client_secret": "my-secret"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description A new pair of tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "parley_at_Jc8sV1pQe",
                     *       "refresh_token": "parley_rt_Wn5xT3uLk",
                     *       "token_type": "Bearer",
                     *       "expires_in": 3600,
                     *       "scope": "leads:read webhooks:manage",
                     *       "api_base_url": "https://parley.example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            400: components["responses"]["OAuthError"];
            401: components["responses"]["OAuthInvalidClient"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "parley_rt_2b7Yw0sN4",
                 *       "client_id": "my-client",
                 *       "client_secret": "my-secret"
                 *     }
                 */
                "application/json": components["schemas"]["RevocationRequest"];
                /**
                 * @example {
                 *       "token": "parley_rt_2b7Yw0sN4",
                 *       "client_id": "my-client",
                 *       "client_secret": "my-secret"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["RevocationRequest"];
            };
        };
        responses: {
            /** @description The token does not work (any longer). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["OAuthError"];
            401: components["responses"]["OAuthInvalidClient"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://parley.example.com",
                     *       "authorization_endpoint": "https://parley.example.com/api/oauth/authorize",
                     *       "token_endpoint": "https://parley.example.com/api/oauth/token",
                     *       "revocation_endpoint": "https://parley.example.com/api/oauth/revoke",
                     *       "service_documentation": "https://parley.example.com/docs",
                     *       "scopes_supported": [
                     *         "leads:read",
                     *         "webhooks:manage"
                     *       ],
                     *       "response_types_supported": [
                     *         "code"
                     *       ],
                     *       "response_modes_supported": [
                     *         "query"
                     *       ],
                     *       "grant_types_supported": [
                     *         "authorization_code",
                     *         "refresh_token"
                     *       ],
                     *       "token_endpoint_auth_methods_supported": [
                     *         "client_secret_basic",
                     *         "client_secret_post",
                     *         "none"
                     *       ],
                     *       "revocation_endpoint_auth_methods_supported": [
                     *         "client_secret_basic",
                     *         "client_secret_post",
                     *         "none"
                     *       ],
                     *       "code_challenge_methods_supported": [
                     *         "S256"
                     *       ],
                     *       "authorization_response_iss_parameter_supported": true
                     *     }
                     */
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["ServerError"];
        };
    };
    showConnectedApps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountPage"];
            400: components["responses"]["AccountErrorPage"];
            500: components["responses"]["AccountErrorPage"];
            503: components["responses"]["RetryLaterPage"];
        };
    };
    submitConnectedApps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "csrf_token": "7Jc8sV1pQe",
                 *       "action": "revoke",
                 *       "client_id": "my-client"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["ConnectedAppsForm"];
            };
        };
        responses: {
            303: components["responses"]["AccountRedirect"];
            400: components["responses"]["AccountErrorPage"];
            403: components["responses"]["AccountErrorPage"];
            413: components["responses"]["AccountErrorPage"];
            415: components["responses"]["AccountErrorPage"];
            429: components["responses"]["RetryLaterPage"];
            500: components["responses"]["AccountErrorPage"];
            503: components["responses"]["RetryLaterPage"];
        };
    };
    showClients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountPage"];
            400: components["responses"]["AccountErrorPage"];
            403: components["responses"]["AccountNotForYou"];
            500: components["responses"]["AccountErrorPage"];
            503: components["responses"]["RetryLaterPage"];
        };
    };
    submitClients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "csrf_token": "7Jc8sV1pQe",
                 *       "action": "create",
                 *       "name": "Lead export",
                 *       "redirect_uris": "https://app.example.com/callback",
                 *       "kind": "confidential"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["ClientsForm"];
            };
        };
        responses: {
            303: components["responses"]["AccountRedirect"];
            400: components["responses"]["AccountErrorPage"];
            403: components["responses"]["AccountNotForYou"];
            413: components["responses"]["AccountErrorPage"];
            415: components["responses"]["AccountErrorPage"];
            429: components["responses"]["RetryLaterPage"];
            500: components["responses"]["AccountErrorPage"];
            503: components["responses"]["RetryLaterPage"];
        };
    };
    showClient: {
        parameters: {
            query?: {
                /**
                 * @description `delete` asks whether the app is really to be deleted.
                 * @example delete
                 */
                confirm?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Client identifier of one of the organization's own apps.
                 * @example parley_ci_4f0c2a8e6b1d3957ac82e0f1
                 */
                client_id: components["parameters"]["ClientPathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountPage"];
            400: components["responses"]["AccountErrorPage"];
            403: components["responses"]["AccountNotForYou"];
            404: components["responses"]["AccountNotFound"];
            500: components["responses"]["AccountErrorPage"];
            503: components["responses"]["RetryLaterPage"];
        };
    };
    submitClient: {
        parameters: {
            query?: {
                /**
                 * @description `delete` asks whether the app is really to be deleted.
                 * @example delete
                 */
                confirm?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Client identifier of one of the organization's own apps.
                 * @example parley_ci_4f0c2a8e6b1d3957ac82e0f1
                 */
                client_id: components["parameters"]["ClientPathId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "csrf_token": "7Jc8sV1pQe",
                 *       "action": "rotate_secret",
                 *       "old_valid_for": "day"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["ClientForm"];
            };
        };
        responses: {
            303: components["responses"]["AccountRedirect"];
            400: components["responses"]["AccountErrorPage"];
            403: components["responses"]["AccountNotForYou"];
            404: components["responses"]["AccountNotFound"];
            413: components["responses"]["AccountErrorPage"];
            415: components["responses"]["AccountErrorPage"];
            429: components["responses"]["RetryLaterPage"];
            500: components["responses"]["AccountErrorPage"];
            503: components["responses"]["RetryLaterPage"];
        };
    };
    upsertChatbot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Sales assistant",
                 *       "description": "Answers questions about plans and prices.",
                 *       "model": "parley-large",
                 *       "status": "active"
                 *     }
                 */
                "application/json": components["schemas"]["PlatformChatbot"];
            };
        };
        responses: {
            /** @description The record as it is now; `meta.result` tells what became of it. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *         "type": "chatbot",
                     *         "attributes": {
                     *           "name": "Sales assistant",
                     *           "description": "Answers questions about plans and prices.",
                     *           "model": "parley-large",
                     *           "status": "active",
                     *           "created_at": "2026-01-12T08:00:00.000Z",
                     *           "updated_at": "2026-02-20T16:30:00.000Z"
                     *         },
                     *         "label": "Sales assistant",
                     *         "value": "01928c5e-7a10-7c44-8d21-0b6de2f0a001"
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "result": "created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Chatbot"];
                        meta: components["schemas"]["UpsertMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["PlatformUnauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chatbot_external_id": "sales-bot",
                 *       "contact": {
                 *         "name": "Ada Novak",
                 *         "email": "ada@example.com"
                 *       },
                 *       "score": 82,
                 *       "source": "pricing page"
                 *     }
                 */
                "application/json": components["schemas"]["PlatformLead"];
            };
        };
        responses: {
            /** @description The record as it is now; `meta.result` tells what became of it. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *         "type": "lead",
                     *         "attributes": {
                     *           "contact": {
                     *             "name": "Ada Novak",
                     *             "email": "ada@example.com",
                     *             "phone": null,
                     *             "company": null
                     *           },
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "status": "qualified",
                     *           "score": 82,
                     *           "qualification": {},
                     *           "source": "pricing page",
                     *           "created_at": "2026-03-01T08:58:00.000Z",
                     *           "updated_at": "2026-03-01T08:58:00.000Z",
                     *           "qualified_at": "2026-03-01T08:58:00.000Z",
                     *           "converted_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "result": "created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Lead"];
                        meta: components["schemas"]["UpsertMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["PlatformUnauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertConversation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chatbot_external_id": "sales-bot",
                 *       "channel": "web",
                 *       "visitor": {
                 *         "name": "Ben Okafor",
                 *         "email": "ben@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PlatformConversation"];
            };
        };
        responses: {
            /** @description The record as it is now; `meta.result` tells what became of it. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *         "type": "conversation",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "status": "open",
                     *           "channel": "web",
                     *           "visitor": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "sentiment": null,
                     *           "message_count": 0,
                     *           "started_at": "2026-03-01T08:55:00.000Z",
                     *           "ended_at": null,
                     *           "updated_at": "2026-03-01T08:55:00.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "result": "created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                        meta: components["schemas"]["UpsertMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["PlatformUnauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "conversation_external_id": "chat-20260301-17",
                 *       "role": "visitor",
                 *       "text": "My invoice shows the wrong address.",
                 *       "sentiment": "neutral"
                 *     }
                 */
                "application/json": components["schemas"]["PlatformMessage"];
            };
        };
        responses: {
            /** @description The record as it is now; `meta.result` tells what became of it. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44",
                     *         "type": "message",
                     *         "attributes": {
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "role": "visitor",
                     *           "text": "My invoice shows the wrong address.",
                     *           "sentiment": "neutral",
                     *           "created_at": "2026-03-01T08:55:10.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "result": "created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"];
                        meta: components["schemas"]["UpsertMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["PlatformUnauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertTicket: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subject": "Invoice shows the wrong address",
                 *       "description": "The visitor moved in January and wants a corrected invoice.",
                 *       "chatbot_external_id": "sales-bot",
                 *       "conversation_external_id": "chat-20260301-17",
                 *       "requester": {
                 *         "name": "Ben Okafor",
                 *         "email": "ben@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PlatformTicket"];
            };
        };
        responses: {
            /** @description The record as it is now; `meta.result` tells what became of it. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
                     *         "type": "ticket",
                     *         "attributes": {
                     *           "subject": "Invoice shows the wrong address",
                     *           "description": "The visitor moved in January and wants a corrected invoice.",
                     *           "status": "open",
                     *           "priority": "normal",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": null,
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "requester": {
                     *             "name": "Ben Okafor",
                     *             "email": "ben@example.com"
                     *           },
                     *           "created_at": "2026-03-01T10:00:00.000Z",
                     *           "updated_at": "2026-03-01T10:00:00.000Z",
                     *           "resolved_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "result": "created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Ticket"];
                        meta: components["schemas"]["UpsertMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["PlatformUnauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertMeeting: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Product demo",
                 *       "starts_at": "2026-03-05T15:00:00+01:00",
                 *       "ends_at": "2026-03-05T15:30:00+01:00",
                 *       "timezone": "Europe/Vienna",
                 *       "location": "https://meet.example.com/ada",
                 *       "attendees": [
                 *         {
                 *           "name": "Ada Novak",
                 *           "email": "ada@example.com"
                 *         }
                 *       ],
                 *       "chatbot_external_id": "sales-bot",
                 *       "lead_external_id": "crm-4711"
                 *     }
                 */
                "application/json": components["schemas"]["PlatformMeeting"];
            };
        };
        responses: {
            /** @description The record as it is now; `meta.result` tells what became of it. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
                     *         "type": "meeting",
                     *         "attributes": {
                     *           "title": "Product demo",
                     *           "status": "scheduled",
                     *           "starts_at": "2026-03-05T14:00:00.000Z",
                     *           "ends_at": "2026-03-05T14:30:00.000Z",
                     *           "timezone": "Europe/Vienna",
                     *           "location": "https://meet.example.com/ada",
                     *           "attendees": [
                     *             {
                     *               "name": "Ada Novak",
                     *               "email": "ada@example.com"
                     *             }
                     *           ],
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
                     *           "created_at": "2026-03-01T09:10:00.000Z",
                     *           "updated_at": "2026-03-01T09:10:00.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "result": "created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Meeting"];
                        meta: components["schemas"]["UpsertMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["PlatformUnauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertMessageFeedback: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message_external_id": "chat-20260301-17/2",
                 *       "rating": "negative",
                 *       "comment": "That was not my question."
                 *     }
                 */
                "application/json": components["schemas"]["PlatformMessageFeedback"];
            };
        };
        responses: {
            /** @description The record as it is now; `meta.result` tells what became of it. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-9c33-7955-8e66-4fa026d4ed55",
                     *         "type": "message_feedback",
                     *         "attributes": {
                     *           "message_id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44",
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "rating": "negative",
                     *           "comment": "That was not my question.",
                     *           "created_at": "2026-03-01T08:56:10.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "result": "created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessageFeedback"];
                        meta: components["schemas"]["UpsertMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["PlatformUnauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertToolRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chatbot_external_id": "sales-bot",
                 *       "conversation_external_id": "chat-20260301-17",
                 *       "tool": "look_up_invoice",
                 *       "status": "failed",
                 *       "error": "The billing service did not answer.",
                 *       "duration_ms": 412
                 *     }
                 */
                "application/json": components["schemas"]["PlatformToolRun"];
            };
        };
        responses: {
            /** @description The record as it is now; `meta.result` tells what became of it. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c5e-9d44-7866-9f77-50b137e5fe66",
                     *         "type": "tool_run",
                     *         "attributes": {
                     *           "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
                     *           "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
                     *           "tool": "look_up_invoice",
                     *           "status": "failed",
                     *           "error": "The billing service did not answer.",
                     *           "duration_ms": 412,
                     *           "created_at": "2026-03-01T08:55:20.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "result": "created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ToolRun"];
                        meta: components["schemas"]["UpsertMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["PlatformUnauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertUsageRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this change, for example a UUID. When an answer got lost, send the request again with the
                 *     same key: for 24 hours it gets the first answer again, with `Idempotent-Replayed: true`, and changes nothing. The same key
                 *     with another request is refused with 400.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
                /**
                 * @description The platform's own id of the record, unique for its kind within the organization. Percent-encode it.
                 * @example crm-4711
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "metric": "messages",
                 *       "quantity": 25,
                 *       "occurred_at": "2026-03-01T09:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["PlatformUsageRecord"];
            };
        };
        responses: {
            /** @description The record as it is now; `meta.result` tells what became of it. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01928c62-0000-7755-8a88-61c248f60f77",
                     *         "type": "usage_record",
                     *         "attributes": {
                     *           "metric": "messages",
                     *           "quantity": 25,
                     *           "occurred_at": "2026-03-01T09:00:00.000Z",
                     *           "created_at": "2026-03-01T09:00:02.000Z",
                     *           "updated_at": "2026-03-01T09:00:02.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "result": "created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UsageRecord"];
                        meta: components["schemas"]["UpsertMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["PlatformUnauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    writeBatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your own, unique to this batch, for example a UUID. It holds for each item at its place: for 24 hours an item that
                 *     was written gets its first result again and changes nothing, and another item at that place fails and says so.
                 * @example 3d9a1c3e-5b7f-4f0e-9f0a-2b7c1d4e6f80
                 */
                "Idempotency-Key"?: components["parameters"]["BatchIdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organization that the record belongs to.
                 * @example 01928c5e-7000-7a11-8c33-1a2b3c4d5e6f
                 */
                organization_id: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "type": "conversation",
                 *           "external_id": "chat-20260301-17",
                 *           "attributes": {
                 *             "chatbot_external_id": "sales-bot"
                 *           }
                 *         },
                 *         {
                 *           "type": "message",
                 *           "external_id": "chat-20260301-17/1",
                 *           "attributes": {
                 *             "conversation_external_id": "chat-20260301-17",
                 *             "role": "visitor",
                 *             "text": "My invoice shows the wrong address."
                 *           }
                 *         },
                 *         {
                 *           "type": "lead",
                 *           "external_id": "crm-4711",
                 *           "attributes": {
                 *             "chatbot_external_id": "no-such-bot",
                 *             "score": 82
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    items: components["schemas"]["PlatformItem"][];
                };
            };
        };
        responses: {
            /** @description What became of each item, in the order of the request. Also when all of them failed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "index": 0,
                     *           "result": "created",
                     *           "type": "conversation",
                     *           "external_id": "chat-20260301-17",
                     *           "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33"
                     *         },
                     *         {
                     *           "index": 1,
                     *           "result": "created",
                     *           "type": "message",
                     *           "external_id": "chat-20260301-17/1",
                     *           "id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44"
                     *         },
                     *         {
                     *           "index": 2,
                     *           "result": "failed",
                     *           "error": "invalid_request",
                     *           "error_description": "items/2/attributes/chatbot_external_id must be the external_id of a chatbot of the organization"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "api_version": "2024-01-01",
                     *         "count": 3,
                     *         "created": 2,
                     *         "updated": 0,
                     *         "unchanged": 0,
                     *         "failed": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BatchResult"][];
                        meta: components["schemas"]["BatchMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["PlatformUnauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["HealthStatus"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["ServerError"];
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It can. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["HealthStatus"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
