import { existsSync } from 'node:fs'

/** Without a window of its own it draws the same for two thirds of the work. */
const NAMES = ['chromium-headless-shell', 'chromium', 'google-chrome']

/** The path of CHROMIUM, or else of a browser that is installed; undefined if none is. */
export function findChromium() {
  const { CHROMIUM } = process.env
  return CHROMIUM ?? NAMES.map((name) => `/usr/bin/${name}`).find(existsSync)
}
