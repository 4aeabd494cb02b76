import { useEffect } from 'preact/hooks'
import { world } from './page.ts'

/** Names the page in the title of the window; without a text it stays. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    if (text) document.title = `${text} · ${world.name} · ramp-sandbox`
  }, [text])
}
