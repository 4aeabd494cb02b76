/** Why a setting could not be measured; the message continues "not measured:". */
export class NotMeasured extends Error {
  /** Something went wrong, as opposed to an option that was not given. */
  readonly isFailure: boolean

  constructor(reason: string, { isFailure = false } = {}) {
    super(reason)
    this.name = 'NotMeasured'
    this.isFailure = isFailure
  }
}
