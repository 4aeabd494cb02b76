// A bare binary heap of 100,000 tasks, popped to the last; how long each time takes, in ms.
process.on('message', ({ tasks }) => process.send({ ms: popAll(tasks) }))
process.on('disconnect', () => process.exit(0))

function popAll(count) {
  const heap = []
  for (let order = 0; order < count; order++) push(heap, { at: (order * 7919) % 1000, order })
  const startedAt = performance.now()
  let sum = 0
  while (heap.length > 0) sum += pop(heap).order
  if (sum !== (count * (count - 1)) / 2) throw new Error('the heap lost a task')
  return performance.now() - startedAt
}

const isBefore = (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order)

function push(heap, task) {
  let at = heap.push(task) - 1
  while (at > 0) {
    const above = (at - 1) >> 1
    if (!isBefore(task, heap[above])) break
    heap[at] = heap[above]
    at = above
  }
  heap[at] = task
}

function pop(heap) {
  const [first] = heap
  const last = heap.pop()
  if (heap.length === 0) return first
  let at = 0
  for (;;) {
    let below = 2 * at + 1
    if (below >= heap.length) break
    if (below + 1 < heap.length && isBefore(heap[below + 1], heap[below])) below++
    if (!isBefore(heap[below], last)) break
    heap[at] = heap[below]
    at = below
  }
  heap[at] = last
  return first
}
