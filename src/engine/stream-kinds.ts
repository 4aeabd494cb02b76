/** Kinds that the event stream sends, and after which a page of the inspector is drawn again. */
export const STREAM_KINDS = [
  'event',
  'message',
  'delivery',
  'request',
  'action',
  'clock',
  'reset',
] as const
export type StreamKind = (typeof STREAM_KINDS)[number]
