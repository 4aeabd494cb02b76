import type { MessagePage, MessageRecord } from '../control-api/wire.ts'
import type { ControlClient } from './control.ts'
import { assertGiven } from './control-api.ts'
import { JournalReader, type WaitOptions } from './journal-reader.ts'

export type MessageKind = MessageRecord['kind']

export interface MessageFilter {
  /** E-mail address of the user. */
  email?: string | undefined
  kind?: MessageKind | undefined
  /** Id of the transaction it is about. */
  ref?: string | undefined
  /** Text that it contains. */
  q?: string | undefined
  /** Any other condition. */
  where?: ((message: MessageRecord) => boolean) | undefined
}

/** Messages that the service and the bank send to users. */
export interface Inbox {
  /** Returns all messages that match, or the last of them, oldest first, without waiting. */
  list(filter?: MessageFilter & { last?: number | undefined }): Promise<MessageRecord[]>
  /** Returns the oldest matching message that no earlier call returned, as soon as there is one. */
  next(filter?: MessageFilter, options?: WaitOptions): Promise<MessageRecord>
  /**
   * Returns the newest four-digit code sent to this address, as soon as there is one. Each code is
   * returned only once, so that a second login gets the second code.
   */
  loginCode(email: string, options?: WaitOptions): Promise<string>
  /** Makes `next` and `loginCode` ignore all messages so far, for worlds that others have used. */
  skip(): Promise<void>
}

export function createInbox({ call }: ControlClient): Inbox & { restart(): void } {
  const reader = new JournalReader<MessageRecord>({
    noun: 'message',
    async read(asked, { after, timeout, signal }) {
      const query = { ...asked, after, timeout }
      const response = await call<MessagePage>('GET', '/inbox', { query, signal })
      return { ...response, rows: response.messages }
    },
  })
  return {
    list: (filter) => reader.list(filter),
    next: (filter, options) => reader.next(filter, options),
    skip: () => reader.skip(),
    restart: () => reader.restart(),
    async loginCode(email, options) {
      assertGiven('inbox.loginCode', 'email', email)
      const filter: MessageFilter = { email, kind: 'login-code' }
      let { code } = await reader.next(filter, options)
      // Sending a code invalidates the ones before it.
      for (let newer = await reader.poll(filter); newer; newer = await reader.poll(filter)) {
        code = newer.code
      }
      return code ?? ''
    },
  }
}
