const tasks = new Set<() => void>()

function runAll(): void {
  for (const task of tasks) task()
}

/**
 * Runs a task when the process exits, by one listener for all of them: Node warns about more than
 * ten. Returns a function that takes the task back.
 */
export function atExit(task: () => void): () => void {
  if (tasks.size === 0) process.once('exit', runAll)
  tasks.add(task)
  return () => {
    tasks.delete(task)
    if (tasks.size === 0) process.off('exit', runAll)
  }
}
