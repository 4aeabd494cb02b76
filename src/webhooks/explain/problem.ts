/** One thing that is wrong with a signature, and what would put it right. */
export interface SignatureProblem {
  /** Stable; the sentences may change. */
  code: string
  message: string
  hint: string
}
