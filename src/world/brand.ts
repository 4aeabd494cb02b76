/** A customer's own: all are optional, as in the demo's address. */
export interface Brand {
  name?: string | undefined
  /** Colours such as `#0a7d5a`. */
  accent?: string | undefined
  card?: string | undefined
  /** A `data:` URI of a picture, or a path of this sandbox. */
  logo?: string | undefined
}
