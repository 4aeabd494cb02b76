import { useEffect } from 'preact/hooks'

const { world = '' } = document.body.dataset

/** Names the page in the title of the window; without a text it stays. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    if (text) document.title = `${text} · ${world} · ramp-sandbox`
  }, [text])
}
