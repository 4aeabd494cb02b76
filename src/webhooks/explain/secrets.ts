import type { Integrator } from '../../world/state.ts'
import { WRONG_SECRET } from '../prepare.ts'
import type { SignatureProblem } from './problem.ts'

/** Who signs in a world. */
export type Signer = Pick<Integrator, 'name' | 'signingSecret' | 'previousSecret'>

/** Signers whose secrets are tried. */
const SIGNERS_MAX = 50

/** A key that may have signed, and what to say when it has and the given secret should have. */
export interface Candidate {
  key: string | Buffer
  problem: SignatureProblem | undefined
}

/** The given secret, first, and every other key that may have made a signature in its place. */
export function candidatesFor(given: string, signers: readonly Signer[]): Candidate[] {
  const known = signers.slice(0, SIGNERS_MAX)
  return [
    { key: given, problem: undefined },
    ...known.flatMap((signer) => keysOf(signer, given, known)),
    ...formsOf(given),
    { key: WRONG_SECRET, problem: SPOILT },
  ]
}

function keysOf(signer: Signer, given: string, known: readonly Signer[]): Candidate[] {
  const { name, signingSecret, previousSecret } = signer
  const keys: Candidate[] = []
  if (signingSecret !== null && signingSecret !== given) {
    const problem = given === previousSecret ? rotated(name) : tellOther(name, given, known)
    keys.push({ key: signingSecret, problem })
  }
  if (previousSecret !== null && previousSecret !== given) {
    const problem =
      given === signingSecret
        ? signedBefore(name)
        : tellOther(`${name} before its last rotation`, given, known)
    keys.push({ key: previousSecret, problem })
  }
  return keys
}

const rotated = (name: string): SignatureProblem => ({
  code: 'secret-before-rotation',
  message: `This is the secret of ${name} from before its last rotation.`,
  hint: 'Use the one that the last rotation answered; it is shown only then.',
})

const signedBefore = (name: string): SignatureProblem => ({
  code: 'signed-before-rotation',
  message: `It was signed with the secret that ${name} had before the last rotation.`,
  hint: 'It left before the rotation: accept the secret before for a while after a rotation.',
})

function tellOther(signer: string, given: string, known: readonly Signer[]): SignatureProblem {
  if (given === '') return MISSING
  const trimmed = given.trim().replace(/^(["'])(.*)\1$/, '$2')
  if (trimmed !== given && known.some((other) => isSecretOf(other, trimmed))) return PADDED
  const owner = known.find((other) => isSecretOf(other, given))
  if (owner) {
    return {
      code: 'secret-of-other-integrator',
      message: `It was signed with the secret of ${signer}; this is the one of ${owner.name}.`,
      hint: 'Every integrator has a secret of its own; events go to each with its own.',
    }
  }
  return {
    code: 'secret-wrong',
    message: `It was signed with the secret of ${signer}, which is not this one.`,
    hint: 'Copy the secret from the first PUT of the configuration, or rotate it; nothing else shows it.',
  }
}

const isSecretOf = ({ signingSecret, previousSecret }: Signer, secret: string) =>
  secret === signingSecret || secret === previousSecret

const MISSING: SignatureProblem = {
  code: 'secret-missing',
  message: 'The secret is empty.',
  hint: 'Is the variable set that it is read from?',
}
const PADDED: SignatureProblem = {
  code: 'secret-padded',
  message: 'There is white space, or a pair of quotes, around the secret.',
  hint: 'Trim it: files and variables often end with a line break.',
}
const FORM: SignatureProblem = {
  code: 'secret-form',
  message: 'It was signed with another form of the secret.',
  hint: 'The key is the whole text of the secret, whsec_ included, and not what it might encode.',
}
const SPOILT: SignatureProblem = {
  code: 'spoilt-on-purpose',
  message: 'It was signed with no integrator’s secret, because that was asked for.',
  hint: 'A fault or a resend ordered a bad signature; the receiver is right to refuse it.',
}

/** What a program may take for the key. */
function formsOf(given: string): Candidate[] {
  const [, bare = ''] = /^whsec_(.+)$/.exec(given) ?? []
  if (bare === '') return []
  const keys = [bare, Buffer.from(bare, 'hex'), Buffer.from(bare, 'base64')]
  return keys.map((key) => ({ key, problem: FORM }))
}
