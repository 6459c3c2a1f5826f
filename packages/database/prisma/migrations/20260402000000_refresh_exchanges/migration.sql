-- How often a refresh token was exchanged within its retry window.
ALTER TABLE "oauth_tokens" ADD COLUMN     "exchanges" INTEGER NOT NULL DEFAULT 0;
