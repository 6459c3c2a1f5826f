-- Trace context of the change that published the event; null if it is not traced.
ALTER TABLE events ADD COLUMN traceparent text;
-- The length of version 00 (W3C Trace Context, section 3.2). Existing rows have none.
ALTER TABLE events ADD CONSTRAINT events_traceparent_check CHECK (length(traceparent) = 55) NOT VALID;
