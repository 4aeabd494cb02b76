import type { Settings } from '../world/settings/index.ts'

/** Writes the body of a webhook as the setting `webhooks.body` asks. */
export function writeBody(settings: Settings, event: object): string {
  return settings['webhooks.body'] === 'spaced' ? writeSpaced(event) : JSON.stringify(event)
}

/**
 * JSON on one line with a space inside every bracket: `{ "id": "evt_1", "type": "user.update" }`.
 * No usual JSON writer produces it, so a receiver that verifies a re-serialised body fails.
 */
export function writeSpaced(event: unknown): string {
  // JSON escapes the line breaks of texts, so each raw one is part of the indentation.
  return JSON.stringify(event, null, 1).replace(/\n */g, ' ')
}

/** Returns true for a body that `writeSpaced` wrote. */
export const isSpaced = (body: string): boolean => body.startsWith('{ ')
