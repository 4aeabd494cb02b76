import { signWebhook } from '../webhooks/mutate.ts'
import { MUTATION_WORDS, type Mutation } from '../webhooks/mutation.ts'
import type { Action, Forgery, ReceiverVariation } from './receiver-variation.ts'

/** A webhook as it goes to a receiver. */
export interface Copy {
  headers: Record<string, string>
  body: Buffer
}

/** What is possible with a story and its receiver. */
export interface Possible {
  /** Names of the webhooks in the baseline. */
  names: readonly string[]
  /** Places of those that a call caused, and of those that changed the state. */
  called: ReadonlySet<number>
  shown: ReadonlySet<number>
  canReconcile: boolean
  canKill: boolean
}

type Draft = Omit<ReceiverVariation, 'id'>

const FORGERIES: readonly Forgery[] = [
  'body',
  'signature',
  'timestamp',
  'timestamp-ahead',
  'no signature',
  'empty signature',
]
const OTHER_FORMS: readonly Mutation[] = ['wording', 'chunked', 'charset', 'field', 'eventId']
const OTHER_EVENTS: readonly Mutation[] = ['unknown-type', 'unknown-status']

/** Lists every variation of the deliveries of a story: one edit of their list each. */
export function listDeliveries(possible: Possible): ReceiverVariation[] {
  const { names, canReconcile } = possible
  const usual = names.map((_, at): Action => ({ do: 'send', at }))
  const drafts = [
    ...listMoves(names, usual),
    ...names.flatMap((name, at) => listOfOne(possible, { name: `\`${name}\``, at, usual })),
    ...listForms(possible, usual),
    ...listFollowers(possible, usual),
    { kind: 'orders by others', words: 'someone else places an order', hasOthers: true as const },
    ...(canReconcile ? [RECONCILED] : []),
    ...names.flatMap((name, at) => listKills(possible, { name: `\`${name}\``, at, usual })),
  ]
  return drafts.map((draft) => ({ id: draft.words.replaceAll('`', ''), ...draft }))
}

const RECONCILED: Draft = {
  kind: 'reconciled',
  words: 'the receiver reconciles though nothing was lost',
  reconciles: true,
}

/** Moves each webhook to each other place; neighbours change places once. */
function listMoves(names: readonly string[], usual: readonly Action[]): Draft[] {
  return usual.flatMap((send, from) =>
    names.flatMap((other, to) => {
      if (from === to || from === to + 1) return []
      const words = `\`${names[from]}\` arrives ${to > from ? 'after' : 'before'} \`${other}\``
      return [{ kind: 'order', words, actions: usual.toSpliced(from, 1).toSpliced(to, 0, send) }]
    }),
  )
}

interface One {
  name: string
  at: number
  usual: readonly Action[]
}

/** One webhook arrives twice, never, early, or together with the next. */
function listOfOne(
  { names, called, shown, canReconcile }: Possible,
  { name, at, usual }: One,
): Draft[] {
  const again: Action = { do: 'send', at }
  const early = `${name} arrives before the response to the call that causes it`
  const together = `${name} and \`${names[at + 1]}\` arrive at the same time`
  const both: Action = { do: 'together', at }
  return [
    { kind: 'twice', words: `${name} arrives twice`, actions: usual.toSpliced(at, 0, again) },
    { kind: 'twice', words: `${name} arrives again at the end`, actions: [...usual, again] },
    ...only(canReconcile && shown.has(at), {
      kind: 'lost',
      words: `${name} is lost`,
      actions: usual.toSpliced(at, 1),
      isLoss: true,
    }),
    ...only(called.has(at), { kind: 'early', words: early, actions: usual, early: at }),
    ...only(at + 1 < names.length, {
      kind: 'together',
      words: together,
      actions: usual.toSpliced(at, 2, both),
    }),
  ]
}

const only = (isPossible: boolean, draft: Draft): Draft[] => (isPossible ? [draft] : [])

/** False copies, and genuine events in another form. */
function listForms({ shown }: Possible, usual: readonly Action[]): Draft[] {
  return [
    ...(shown.size === 0 ? [] : FORGERIES).map((as) => ({
      kind: 'forged',
      words: `copies with ${describeChange(as)} arrive first`,
      actions: usual.flatMap((send, at): Action[] =>
        shown.has(at) ? [{ do: 'forge', at, as }, send] : [send],
      ),
    })),
    ...OTHER_FORMS.map((as) => ({
      kind: 'other form',
      words: `every event arrives with ${MUTATION_WORDS[as].name}`,
      actions: usual.map((_, at): Action => ({ do: 'send', at, as })),
    })),
  ]
}

/** Each webhook is followed by what must change nothing: by itself, or by an event that no document mentions. */
function listFollowers({ called }: Possible, usual: readonly Action[]): Draft[] {
  const follow = (as?: Mutation) =>
    usual.flatMap((send, at): Action[] => {
      // After a call, the story goes on at once, and a receiver may ask the API how far it is.
      return [send, { do: 'send', at, as, mustChangeNothing: !called.has(at) }]
    })
  return [
    // The last one arrives again at the end anyway.
    ...only(usual.length > 1, {
      kind: 'twice',
      words: 'each webhook arrives again before the next',
      actions: follow(),
    }),
    ...OTHER_EVENTS.map((as) => ({
      kind: 'unknown event',
      words: `each webhook is followed by another event with ${MUTATION_WORDS[as].name}`,
      actions: follow(as),
    })),
  ]
}

export const describeChange = (as: Mutation | Forgery): string =>
  as === 'no signature' || as === 'empty signature'
    ? as.replace('empty', 'an empty')
    : MUTATION_WORDS[as].name

/** The process ends while it has a webhook in its hands, or right after its response. */
function listKills({ shown, canKill, canReconcile }: Possible, { name, at, usual }: One): Draft[] {
  if (!canKill || !shown.has(at)) return []
  const send: Action = { do: 'send', at }
  const instead = (...actions: Action[]) => usual.toSpliced(at, 1, ...actions)
  const killed = (words: string, moment: 'receipt' | 'change') =>
    only(canReconcile, {
      kind: 'killed',
      words: `the receiver is killed ${words} ${name}`,
      actions: instead({ do: 'kill', at, moment }),
      isLoss: true,
    })
  return [
    ...killed('when it receives', 'receipt'),
    ...killed('while it stores', 'change'),
    {
      kind: 'killed',
      words: `the receiver is killed right after its response to ${name}`,
      actions: instead(send, { do: 'restart' }),
    },
    {
      kind: 'twice',
      words: `${name} arrives again after a restart`,
      actions: instead(send, { do: 'restart' }, send),
    },
  ]
}

/** Makes a copy of a webhook that is changed and, where it is genuine, signed as it is sent. */
export function changeCopy(copy: Copy, as: Mutation | Forgery, secret: string): Copy {
  const { headers, body } = copy
  const nameOf = (end: string) => Object.keys(headers).find((name) => name.endsWith(end)) ?? ''
  const [stamp, signature] = [nameOf('-timestamp'), nameOf('-signature')]
  if (as === 'no signature') {
    const { [signature]: _, ...others } = headers
    return { headers: others, body }
  }
  if (as === 'empty signature') return { headers: { ...headers, [signature]: 'v1=' }, body }
  const unsigned = { body: body.toString(), seconds: Number(headers[stamp]), secret }
  const changed = signWebhook(unsigned, as)
  const changedHeaders = {
    ...headers,
    'content-type': changed.contentType,
    [stamp]: changed.timestamp,
    [signature]: changed.signature ?? '',
    ...(changed.isChunked && { 'transfer-encoding': 'chunked' }),
  }
  return { headers: changedHeaders, body: Buffer.from(changed.bytes) }
}
