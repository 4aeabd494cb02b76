import { formatDistance, formatShort } from './format.ts'
import { Act, type ButtonCall } from './forms.tsx'
import type { View } from './view.ts'

export interface DiagramNode {
  id: string
  text: string
  column: number
  row: number
  at?: number | undefined
}

export interface DiagramEdge {
  from: string
  to: string
  text: string
  /** The call that its label makes, if the move is possible now. */
  act?: ButtonCall | undefined
  kind?: 'primary' | 'danger' | 'plain'
  /** When it is scheduled to happen. */
  at?: number | undefined
}

interface DiagramProps {
  view: View
  label: string
  current: string
  nodes: readonly DiagramNode[]
  edges: readonly DiagramEdge[]
  rowStep: number
}

const WIDTH = 118
const HEIGHT = 36
const MARGIN = 4
const COLUMN_STEP = 282
/** Room for a line around the right side of a column. */
const BEND = 44
/** Room for a countdown below the last row. */
const ROOM_BELOW = 14

/** Draws statuses as boxes and moves as arrows; the possible moves are buttons. */
export const Diagram = (props: DiagramProps) => {
  const { view, label, current, nodes, edges, rowStep } = props
  const boxes = nodes.map((node) => {
    const { id, column, row } = node
    const isNext = edges.some(({ act, to }) => act && to === id)
    return { ...node, isNext, x: MARGIN + column * COLUMN_STEP, y: MARGIN + row * rowStep }
  })
  const lines = edges.flatMap((edge) => {
    const [from, to] = [edge.from, edge.to].map((id) => boxes.find((box) => box.id === id))
    return from && to ? [{ ...edge, ...route(from, to) }] : []
  })
  const right = Math.max(...boxes.map(({ x }) => x + WIDTH))
  const width = right + (lines.some(({ isBent }) => isBent) ? BEND : MARGIN)
  const height = Math.max(...boxes.map(({ y }) => y + HEIGHT)) + ROOM_BELOW
  return (
    <section class="diagram" aria-label={label} tabindex={0}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
        <title>{label}</title>
        <defs>
          {['idle', 'open'].map((kind) => (
            <marker
              id={`arrow-${kind}`}
              class={kind}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              orient="auto-start-reverse"
            >
              <path d="M1 1 L7 4 L1 7" />
            </marker>
          ))}
        </defs>
        {lines.map((line) => showEdge(view, line))}
        {boxes.map((box) => showNode(view, box, box.id === current))}
      </svg>
    </section>
  )
}

interface Box extends DiagramNode {
  x: number
  y: number
  isNext: boolean
}

function showNode({ world }: View, { id, text, at, x, y, isNext }: Box, isCurrent: boolean) {
  let kind = isNext ? 'next' : 'idle'
  if (at !== undefined) kind = 'past'
  if (isCurrent) kind = 'current'
  const middle = x + WIDTH / 2
  return (
    <g class={`node ${kind}`} data-status={id}>
      <title>{isCurrent ? `${id}, where it is now` : id}</title>
      <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="8" />
      <text x={middle} y={y + (at === undefined ? 23 : 16)}>
        {text}
      </text>
      {at !== undefined && (
        <text class="time" x={middle} y={y + 29}>
          {formatShort(at, world.now)}
        </text>
      )}
    </g>
  )
}

function showEdge(view: View, edge: DiagramEdge & ReturnType<typeof route>) {
  const { from, to, text, act, kind = 'plain', at, path, x, y } = edge
  const state = act ? 'open' : 'idle'
  const width = text.length * 6.8 + 18
  return (
    <g class={`edge ${state}`} data-from={from} data-to={to}>
      <path d={path} marker-end={`url(#arrow-${state})`} />
      {act ? (
        <foreignObject x={x - width / 2} y={y - 14} width={width} height="28">
          <Act kind={kind} {...act}>
            {text}
          </Act>
        </foreignObject>
      ) : (
        <text x={x} y={y + 4}>
          {text}
        </text>
      )}
      {act && at !== undefined && (
        <text class="time" x={x} y={y + 26} data-until={at}>
          {formatDistance(at, view.world.now)}
        </text>
      )}
    </g>
  )
}

function route(from: Box, to: Box) {
  const fromY = from.y + HEIGHT / 2
  const y = to.y + HEIGHT / 2
  const right = from.x + WIDTH
  if (to.column === from.column) {
    // The line runs around the boxes in between.
    const bend = right + BEND
    const path = `M${right} ${fromY} C${bend} ${fromY} ${bend} ${y} ${right + 2} ${y}`
    return { path, x: right + 34, y: (fromY + y) / 2, isBent: true }
  }
  const gap = Math.abs(to.x - from.x) / Math.abs(to.column - from.column) - WIDTH
  const isForward = to.column > from.column
  const [start, bend] = isForward ? [right, right + 34] : [from.x, from.x - 34]
  const end = isForward ? to.x - 2 : to.x + WIDTH + 2
  const path = `M${start} ${fromY} C${bend} ${fromY} ${start} ${y} ${bend} ${y} L${end} ${y}`
  const x = isForward ? to.x - gap / 2 + 4 : to.x + WIDTH + gap / 2
  return { path, x, y, isBent: false }
}
