// Generated from openapi/ by `npm run generate`. Change the description there, not this file.

import type { ListedEvent } from "../list-events.ts";

export type { ListedEvent };
export const events: ListedEvent[] = [
  {
    "type": "lead.created",
    "label": "New Lead Captured",
    "description": "A chatbot captured a lead, or one was created through the API.",
    "sample": {
      "id": "01928c61-0000-7b1c-9a2d-3c4d5e6f7a80",
      "type": "lead.created",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
        "type": "lead",
        "attributes": {
          "contact": {
            "name": "Ada Novak",
            "email": "ada@example.com",
            "phone": null,
            "company": "Novak Ltd"
          },
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "status": "new",
          "score": 40,
          "qualification": {
            "budget": "10-20k"
          },
          "source": "https://example.com/pricing",
          "created_at": "2026-03-01T09:00:00.000Z",
          "updated_at": "2026-03-01T09:00:00.000Z",
          "qualified_at": null,
          "converted_at": null
        }
      }
    }
  },
  {
    "type": "lead.updated",
    "label": "Lead Information Updated",
    "description": "One or more fields of a lead changed. previous_attributes holds the old values of those that did.",
    "sample": {
      "id": "01928c61-0001-7b1c-9a2d-3c4d5e6f7a80",
      "type": "lead.updated",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
        "type": "lead",
        "attributes": {
          "contact": {
            "name": "Ada Novak",
            "email": "ada@example.com",
            "phone": null,
            "company": "Novak Ltd"
          },
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "status": "new",
          "score": 55,
          "qualification": {
            "budget": "10-20k"
          },
          "source": "https://example.com/pricing",
          "created_at": "2026-03-01T09:00:00.000Z",
          "updated_at": "2026-03-01T09:04:00.000Z",
          "qualified_at": null,
          "converted_at": null
        }
      },
      "previous_attributes": {
        "score": 40
      }
    }
  },
  {
    "type": "lead.qualified",
    "label": "Lead Marked as Qualified",
    "description": "The lead reached the qualification threshold of its chatbot, or was marked as qualified. It happens once a lead.",
    "sample": {
      "id": "01928c61-0002-7b1c-9a2d-3c4d5e6f7a80",
      "type": "lead.qualified",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
        "type": "lead",
        "attributes": {
          "contact": {
            "name": "Ada Novak",
            "email": "ada@example.com",
            "phone": null,
            "company": "Novak Ltd"
          },
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "status": "qualified",
          "score": 82,
          "qualification": {
            "budget": "10-20k"
          },
          "source": "https://example.com/pricing",
          "created_at": "2026-03-01T09:00:00.000Z",
          "updated_at": "2026-03-01T09:05:12.345Z",
          "qualified_at": "2026-03-01T09:05:12.345Z",
          "converted_at": null
        }
      }
    }
  },
  {
    "type": "lead.converted",
    "label": "Lead Converted to Customer",
    "description": "The lead became a customer. It happens once a lead.",
    "sample": {
      "id": "01928c61-0003-7b1c-9a2d-3c4d5e6f7a80",
      "type": "lead.converted",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
        "type": "lead",
        "attributes": {
          "contact": {
            "name": "Ada Novak",
            "email": "ada@example.com",
            "phone": null,
            "company": "Novak Ltd"
          },
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "status": "converted",
          "score": 90,
          "qualification": {
            "budget": "10-20k"
          },
          "source": "https://example.com/pricing",
          "created_at": "2026-03-01T09:00:00.000Z",
          "updated_at": "2026-03-02T11:00:00.000Z",
          "qualified_at": "2026-03-01T09:05:12.345Z",
          "converted_at": "2026-03-02T11:00:00.000Z"
        }
      }
    }
  },
  {
    "type": "lead.score_changed",
    "label": "Lead Score Changed",
    "description": "The score of the lead changed. previous_attributes.score is the old one.",
    "sample": {
      "id": "01928c61-0004-7b1c-9a2d-3c4d5e6f7a80",
      "type": "lead.score_changed",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
        "type": "lead",
        "attributes": {
          "contact": {
            "name": "Ada Novak",
            "email": "ada@example.com",
            "phone": null,
            "company": "Novak Ltd"
          },
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "status": "new",
          "score": 55,
          "qualification": {
            "budget": "10-20k"
          },
          "source": "https://example.com/pricing",
          "created_at": "2026-03-01T09:00:00.000Z",
          "updated_at": "2026-03-01T09:04:00.000Z",
          "qualified_at": null,
          "converted_at": null
        }
      },
      "previous_attributes": {
        "score": 40
      }
    }
  },
  {
    "type": "conversation.started",
    "label": "New Conversation Started",
    "description": "A visitor began to talk with a chatbot.",
    "sample": {
      "id": "01928c61-0005-7b1c-9a2d-3c4d5e6f7a80",
      "type": "conversation.started",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
        "type": "conversation",
        "attributes": {
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": null,
          "status": "open",
          "channel": "web",
          "visitor": {
            "name": "Ben Okafor",
            "email": "ben@example.com"
          },
          "sentiment": null,
          "message_count": 0,
          "started_at": "2026-03-01T08:55:00.000Z",
          "ended_at": null,
          "updated_at": "2026-03-01T08:55:00.000Z"
        }
      }
    }
  },
  {
    "type": "conversation.ended",
    "label": "Conversation Ended",
    "description": "The conversation is over.",
    "sample": {
      "id": "01928c61-0006-7b1c-9a2d-3c4d5e6f7a80",
      "type": "conversation.ended",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
        "type": "conversation",
        "attributes": {
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": null,
          "status": "ended",
          "channel": "web",
          "visitor": {
            "name": "Ben Okafor",
            "email": "ben@example.com"
          },
          "sentiment": "neutral",
          "message_count": 6,
          "started_at": "2026-03-01T08:55:00.000Z",
          "ended_at": "2026-03-01T09:20:00.000Z",
          "updated_at": "2026-03-01T09:20:00.000Z"
        }
      }
    }
  },
  {
    "type": "conversation.message_received",
    "label": "New Message Received",
    "description": "The visitor wrote a message. data is the message.",
    "sample": {
      "id": "01928c61-0007-7b1c-9a2d-3c4d5e6f7a80",
      "type": "conversation.message_received",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44",
        "type": "message",
        "attributes": {
          "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "role": "visitor",
          "text": "Where do I change the address on my invoice?",
          "sentiment": "neutral",
          "created_at": "2026-03-01T08:55:00.000Z"
        }
      }
    }
  },
  {
    "type": "conversation.sentiment_negative",
    "label": "Negative Sentiment Detected",
    "description": "The mood of the visitor turned negative: sent when it crosses into it, not at each message.",
    "sample": {
      "id": "01928c61-0008-7b1c-9a2d-3c4d5e6f7a80",
      "type": "conversation.sentiment_negative",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
        "type": "conversation",
        "attributes": {
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": null,
          "status": "open",
          "channel": "web",
          "visitor": {
            "name": "Ben Okafor",
            "email": "ben@example.com"
          },
          "sentiment": "negative",
          "message_count": 3,
          "started_at": "2026-03-01T08:55:00.000Z",
          "ended_at": null,
          "updated_at": "2026-03-01T08:58:00.000Z"
        }
      }
    }
  },
  {
    "type": "conversation.sentiment_positive",
    "label": "Positive Sentiment Detected",
    "description": "The mood of the visitor turned positive: sent when it crosses into it, not at each message.",
    "sample": {
      "id": "01928c61-0009-7b1c-9a2d-3c4d5e6f7a80",
      "type": "conversation.sentiment_positive",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
        "type": "conversation",
        "attributes": {
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": null,
          "status": "open",
          "channel": "web",
          "visitor": {
            "name": "Ben Okafor",
            "email": "ben@example.com"
          },
          "sentiment": "positive",
          "message_count": 5,
          "started_at": "2026-03-01T08:55:00.000Z",
          "ended_at": null,
          "updated_at": "2026-03-01T09:02:00.000Z"
        }
      }
    }
  },
  {
    "type": "ticket.created",
    "label": "Support Ticket Created",
    "description": "A support ticket was opened.",
    "sample": {
      "id": "01928c61-000a-7b1c-9a2d-3c4d5e6f7a80",
      "type": "ticket.created",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
        "type": "ticket",
        "attributes": {
          "subject": "Invoice shows the wrong address",
          "description": "The visitor moved in January and wants a corrected invoice.",
          "status": "open",
          "priority": "normal",
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": null,
          "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
          "requester": {
            "name": "Ben Okafor",
            "email": "ben@example.com"
          },
          "created_at": "2026-03-01T10:00:00.000Z",
          "updated_at": "2026-03-01T10:00:00.000Z",
          "resolved_at": null
        }
      }
    }
  },
  {
    "type": "ticket.updated",
    "label": "Ticket Updated",
    "description": "One or more fields of a ticket changed. previous_attributes holds the old values of those that did.",
    "sample": {
      "id": "01928c61-000b-7b1c-9a2d-3c4d5e6f7a80",
      "type": "ticket.updated",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
        "type": "ticket",
        "attributes": {
          "subject": "Invoice shows the wrong address",
          "description": "The visitor moved in January and wants a corrected invoice.",
          "status": "open",
          "priority": "high",
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": null,
          "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
          "requester": {
            "name": "Ben Okafor",
            "email": "ben@example.com"
          },
          "created_at": "2026-03-01T10:00:00.000Z",
          "updated_at": "2026-03-01T10:15:00.000Z",
          "resolved_at": null
        }
      },
      "previous_attributes": {
        "priority": "normal"
      }
    }
  },
  {
    "type": "ticket.resolved",
    "label": "Ticket Resolved",
    "description": "The ticket was resolved.",
    "sample": {
      "id": "01928c61-000c-7b1c-9a2d-3c4d5e6f7a80",
      "type": "ticket.resolved",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5f-0b21-7d55-9e32-1c7ef3a1ba22",
        "type": "ticket",
        "attributes": {
          "subject": "Invoice shows the wrong address",
          "description": "The visitor moved in January and wants a corrected invoice.",
          "status": "resolved",
          "priority": "high",
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": null,
          "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
          "requester": {
            "name": "Ben Okafor",
            "email": "ben@example.com"
          },
          "created_at": "2026-03-01T10:00:00.000Z",
          "updated_at": "2026-03-01T12:00:00.000Z",
          "resolved_at": "2026-03-01T12:00:00.000Z"
        }
      }
    }
  },
  {
    "type": "meeting.scheduled",
    "label": "Meeting Scheduled or Booked",
    "description": "A meeting was booked, moved to another time, or takes place after all. previous_attributes is there when the meeting was there before, and holds the old values of what changed.",
    "sample": {
      "id": "01928c61-000d-7b1c-9a2d-3c4d5e6f7a80",
      "type": "meeting.scheduled",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
        "type": "meeting",
        "attributes": {
          "title": "Product demo",
          "status": "scheduled",
          "starts_at": "2026-03-05T14:00:00.000Z",
          "ends_at": "2026-03-05T14:30:00.000Z",
          "timezone": "Europe/Vienna",
          "location": "https://meet.example.com/ada",
          "attendees": [
            {
              "name": "Ada Novak",
              "email": "ada@example.com"
            }
          ],
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
          "created_at": "2026-03-01T09:10:00.000Z",
          "updated_at": "2026-03-01T09:10:00.000Z"
        }
      }
    }
  },
  {
    "type": "meeting.cancelled",
    "label": "Meeting Cancelled",
    "description": "The meeting will not take place.",
    "sample": {
      "id": "01928c61-000e-7b1c-9a2d-3c4d5e6f7a80",
      "type": "meeting.cancelled",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
        "type": "meeting",
        "attributes": {
          "title": "Product demo",
          "status": "cancelled",
          "starts_at": "2026-03-05T14:00:00.000Z",
          "ends_at": "2026-03-05T14:30:00.000Z",
          "timezone": "Europe/Vienna",
          "location": "https://meet.example.com/ada",
          "attendees": [
            {
              "name": "Ada Novak",
              "email": "ada@example.com"
            }
          ],
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
          "created_at": "2026-03-01T09:10:00.000Z",
          "updated_at": "2026-03-04T09:00:00.000Z"
        }
      }
    }
  },
  {
    "type": "meeting.completed",
    "label": "Meeting Completed",
    "description": "The meeting took place.",
    "sample": {
      "id": "01928c61-000f-7b1c-9a2d-3c4d5e6f7a80",
      "type": "meeting.completed",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
        "type": "meeting",
        "attributes": {
          "title": "Product demo",
          "status": "completed",
          "starts_at": "2026-03-05T14:00:00.000Z",
          "ends_at": "2026-03-05T14:30:00.000Z",
          "timezone": "Europe/Vienna",
          "location": "https://meet.example.com/ada",
          "attendees": [
            {
              "name": "Ada Novak",
              "email": "ada@example.com"
            }
          ],
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
          "created_at": "2026-03-01T09:10:00.000Z",
          "updated_at": "2026-03-05T14:31:00.000Z"
        }
      }
    }
  },
  {
    "type": "meeting.reminder",
    "label": "Meeting Reminder Sent",
    "description": "The meeting is about to start. Sent once for a start time, an hour before it unless the operator chose another time: a meeting that moved is reminded of again. Never sent for a cancelled one, nor after the start.",
    "sample": {
      "id": "01928c61-0010-7b1c-9a2d-3c4d5e6f7a80",
      "type": "meeting.reminder",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c60-0c32-7e66-8f43-2d8f04b2cb44",
        "type": "meeting",
        "attributes": {
          "title": "Product demo",
          "status": "scheduled",
          "starts_at": "2026-03-05T14:00:00.000Z",
          "ends_at": "2026-03-05T14:30:00.000Z",
          "timezone": "Europe/Vienna",
          "location": "https://meet.example.com/ada",
          "attendees": [
            {
              "name": "Ada Novak",
              "email": "ada@example.com"
            }
          ],
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "lead_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
          "created_at": "2026-03-01T09:10:00.000Z",
          "updated_at": "2026-03-01T09:10:00.000Z"
        }
      }
    }
  },
  {
    "type": "message.feedback_negative",
    "label": "Negative Feedback on a Message",
    "description": "The visitor marked a message of the chatbot as unhelpful.",
    "sample": {
      "id": "01928c61-0011-7b1c-9a2d-3c4d5e6f7a80",
      "type": "message.feedback_negative",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-9c33-7955-8e66-4fa026d4ed55",
        "type": "message_feedback",
        "attributes": {
          "message_id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44",
          "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "rating": "negative",
          "comment": "That was not my question.",
          "created_at": "2026-03-01T08:56:10.000Z"
        }
      }
    }
  },
  {
    "type": "message.feedback_positive",
    "label": "Positive Feedback on a Message",
    "description": "The visitor marked a message of the chatbot as helpful.",
    "sample": {
      "id": "01928c61-0012-7b1c-9a2d-3c4d5e6f7a80",
      "type": "message.feedback_positive",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-9c33-7955-8e66-4fa026d4ed55",
        "type": "message_feedback",
        "attributes": {
          "message_id": "01928c5e-9b22-7a44-9d55-3e9f15c3dc44",
          "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "rating": "positive",
          "comment": null,
          "created_at": "2026-03-01T08:56:10.000Z"
        }
      }
    }
  },
  {
    "type": "agent.tool_failed",
    "label": "AI Action Failed",
    "description": "An action that the chatbot tried to run failed.",
    "sample": {
      "id": "01928c61-0013-7b1c-9a2d-3c4d5e6f7a80",
      "type": "agent.tool_failed",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-9d44-7866-9f77-50b137e5fe66",
        "type": "tool_run",
        "attributes": {
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
          "tool": "look_up_invoice",
          "status": "failed",
          "error": "The billing service did not answer.",
          "duration_ms": 412,
          "created_at": "2026-03-01T08:55:20.000Z"
        }
      }
    }
  },
  {
    "type": "agent.tool_executed",
    "label": "AI Action Executed",
    "description": "An action that the chatbot ran succeeded.",
    "sample": {
      "id": "01928c61-0014-7b1c-9a2d-3c4d5e6f7a80",
      "type": "agent.tool_executed",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      "data": {
        "id": "01928c5e-9d44-7866-9f77-50b137e5fe66",
        "type": "tool_run",
        "attributes": {
          "chatbot_id": "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
          "conversation_id": "01928c5e-9a11-7b33-8c44-2d8f04b2cb33",
          "tool": "look_up_invoice",
          "status": "executed",
          "error": null,
          "duration_ms": 412,
          "created_at": "2026-03-01T08:55:20.000Z"
        }
      }
    }
  },
  {
    "type": "usage.threshold_reached",
    "label": "Usage Threshold Reached",
    "description": "The organization used 80 % or 100 % of what its plan includes in a month. Sent once each a month.",
    "sample": {
      "id": "01928c61-0015-7b1c-9a2d-3c4d5e6f7a80",
      "type": "usage.threshold_reached",
      "api_version": "2024-01-01",
      "created_at": "2026-03-01T09:00:00.000Z",
      "chatbot_id": null,
      "data": {
        "id": "01928c62-0000-7755-8a88-61c248f60f77",
        "type": "usage",
        "attributes": {
          "metric": "messages",
          "period_start": "2026-03-01T00:00:00.000Z",
          "period_end": "2026-04-01T00:00:00.000Z",
          "allowance": 10000,
          "used": 8000,
          "threshold_percent": 80
        }
      }
    }
  }
];
