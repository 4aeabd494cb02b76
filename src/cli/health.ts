import { createRemote } from './remote.ts'

interface Health {
  status: string
  version: string
}

/** What a container is probed with where there is neither a shell nor curl. */
export const health = createRemote({
  name: 'health',
  about: 'Says whether a sandbox answers: ends with 0 if so. It needs no control token.',
  call: () => ({ method: 'GET', path: '/health' }),
  format: ({ status, version }: Health) => `${status}, version ${version}`,
})
