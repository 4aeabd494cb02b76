import { useLayoutEffect, useRef } from 'hono/jsx/dom'
import { findDifference } from './compare.ts'
import { Column, Server } from './server.tsx'
import { Simulate } from './simulate.tsx'
import { split } from './split.ts'
import { change, type Fork, state } from './store.ts'
import { listChoices, textOf } from './what-if.ts'
import { t } from './words.ts'

/** Choices of “What if …?”, over the page. */
export const WhatIf = () => {
  const choices = listChoices()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.querySelector('button')?.focus(), [])
  return (
    <dialog ref={dialog} class="what-if" open aria-label={t('What if …?')}>
      <h2>{t('What if …?')}</h2>
      {choices.length === 0 && <p>{t('Nothing can go differently at this point.')}</p>}
      {choices.map((name) => (
        <button
          key={name}
          type="button"
          class="button"
          data-choice={name}
          onClick={() => void split.open(name)}
        >
          {t(textOf(name))}
        </button>
      ))}
      <button type="button" class="button plain" onClick={() => change({ isAsking: false })}>
        {t('Close')}
      </button>
    </dialog>
  )
}

/** Simulate as a menu above the phone, where there is no room beside it. */
export const FoldedSimulate = () => (
  <details class="folded">
    <summary class="button small">{t('Simulate')}</summary>
    <Simulate />
  </details>
)

/** Titles of both phones; on narrow screens they switch between them. */
export const SplitBar = ({ fork }: { fork: Fork }) => {
  const ways = [
    ['left', t('As planned')],
    ['right', t(textOf(fork.choice))],
  ] as const
  return (
    <fieldset class="split-bar" aria-label={t('Phone shown')}>
      {ways.map(([phone, text]) => (
        <div key={phone} class={`way ${phone} ${state.phone === phone ? 'shown' : ''}`}>
          <button
            type="button"
            class="name"
            aria-pressed={state.phone === phone}
            onClick={() => change({ phone })}
          >
            {text}
          </button>
          <button
            type="button"
            class="button small"
            data-keep={phone}
            disabled={state.isBusy || (phone === 'right' && fork.isBusy)}
            onClick={() => void (phone === 'left' ? split.end() : split.keepRight())}
          >
            {t('Keep this one')}
          </button>
        </div>
      ))}
    </fieldset>
  )
}

export const ForkPhone = ({ fork }: { fork: Fork }) => (
  <iframe
    class="fork"
    src={fork.src}
    title={t(textOf(fork.choice))}
    aria-hidden={fork.isReady ? undefined : 'true'}
  />
)

/** What both servers call and get, with the first row that differs marked. */
export const SplitServers = ({ fork }: { fork: Fork }) => {
  const marks = findDifference(state.causes, fork.causes)
  return (
    <>
      <Server marked={marks?.left} />
      <Column
        title={t('Otherwise')}
        causes={fork.causes}
        marked={marks?.right}
        action={
          <button
            type="button"
            class="button small"
            disabled={fork.isBusy}
            onClick={() => split.reconcile()}
          >
            {t('Reconcile')}
          </button>
        }
      />
    </>
  )
}
