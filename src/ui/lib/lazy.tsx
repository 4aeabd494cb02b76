import type { ComponentType } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { messageOf } from './api.ts'
import { shared } from './draw.ts'
import { pending } from './live.ts'
import { Empty } from './parts.tsx'

/** A component whose code is loaded when it is first shown. */
export function lazy<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): ComponentType {
  const loaded = shared<ComponentType | undefined>(undefined)
  const Loading = () => {
    const [failure, setFailure] = useState('')
    useLayoutEffect(() => {
      pending.value++
      load()
        .then((code) => {
          loaded.value = code[name]
        })
        .catch((error: unknown) => setFailure(messageOf(error)))
        .finally(() => pending.value--)
    }, [])
    if (failure === '') return null
    return (
      <Empty title={failure}>
        <button type="button" class="button" onClick={() => location.reload()}>
          Reload
        </button>
      </Empty>
    )
  }
  return () => {
    const Component = loaded.value
    return Component ? <Component /> : <Loading />
  }
}
