import { formatDistance, formatShort } from './format.ts'
import { Act, type ButtonCall } from './forms.tsx'
import type { View } from './view.ts'

/** A status in a diagram; column and row may be fractions. */
export interface DiagramNode {
  id: string
  text: string
  column: number
  row: number
  /** When it was reached, if it was. */
  at?: number | undefined
}

/** What moves one status to another. */
export interface DiagramEdge {
  from: string
  to: string
  text: string
  /** Only from where it is: pressing the label makes this call. */
  act?: ButtonCall | undefined
  kind?: 'primary' | 'danger' | 'plain'
  /** When it is scheduled to happen by itself. */
  at?: number | undefined
}

interface DiagramProps {
  view: View
  /** For people who do not see it. */
  label: string
  current: string
  nodes: readonly DiagramNode[]
  edges: readonly DiagramEdge[]
  /** From one row, or column, to the next. */
  rowStep: number
  columnStep?: number
}

const WIDTH = 118
const HEIGHT = 36
const COLUMN_STEP = 262
const MARGIN = 4
/** For a line around the right side of a column. */
const BEND = 44
/** For a countdown below the last row. */
const ROOM_BELOW = 14

/** States as boxes, and moves as arrows; the moves that are possible now are buttons. */
export const Diagram = (props: DiagramProps) => {
  const { view, label, current, nodes, edges, rowStep, columnStep = COLUMN_STEP } = props
  const boxes = new Map(nodes.map((node) => [node.id, toBox(node, { rowStep, columnStep })]))
  const hasBend = edges.some(({ from, to }) => boxes.get(from)?.column === boxes.get(to)?.column)
  const right = Math.max(...[...boxes.values()].map(({ x }) => x + WIDTH))
  const bottom = Math.max(...[...boxes.values()].map(({ y }) => y + HEIGHT))
  const width = right + (hasBend ? BEND : MARGIN)
  const height = bottom + ROOM_BELOW
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
        {edges.map((edge) => (
          <Edge view={view} edge={edge} boxes={boxes} />
        ))}
        {nodes.map((node) => (
          <Node
            view={view}
            node={node}
            box={boxes.get(node.id) ?? ORIGIN}
            isCurrent={node.id === current}
            isNext={edges.some(({ act, to }) => act && to === node.id)}
          />
        ))}
      </svg>
    </section>
  )
}

interface Box {
  x: number
  y: number
  column: number
  row: number
}

const ORIGIN: Box = { x: 0, y: 0, column: 0, row: 0 }

const toBox = (
  { column, row }: DiagramNode,
  { rowStep, columnStep }: { rowStep: number; columnStep: number },
): Box => ({ x: MARGIN + column * columnStep, y: MARGIN + row * rowStep, column, row })

interface NodeProps {
  view: View
  node: DiagramNode
  box: Box
  isCurrent: boolean
  isNext: boolean
}

const Node = ({ view, node: { id, text, at }, box: { x, y }, isCurrent, isNext }: NodeProps) => {
  const kind = isCurrent ? 'current' : at !== undefined ? 'past' : isNext ? 'next' : 'idle'
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
          {formatShort(at, view.world.now)}
        </text>
      )}
    </g>
  )
}

interface EdgeProps {
  view: View
  edge: DiagramEdge
  boxes: ReadonlyMap<string, Box>
}

const Edge = ({ view, edge: { from, to, text, act, kind, at }, boxes }: EdgeProps) => {
  const { path, x, y } = route(boxes.get(from) ?? ORIGIN, boxes.get(to) ?? ORIGIN)
  const state = act ? 'open' : 'idle'
  const width = text.length * 6.8 + 18
  return (
    <g class={`edge ${state}`} data-from={from} data-to={to}>
      <path d={path} marker-end={`url(#arrow-${state})`} />
      {act ? (
        <foreignObject x={x - width / 2} y={y - 14} width={width} height="28">
          <Act kind={kind ?? 'plain'} {...act}>
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

/** The line from one box to another, and the place of its label. */
function route(from: Box, to: Box): { path: string; x: number; y: number } {
  const fromY = from.y + HEIGHT / 2
  const toY = to.y + HEIGHT / 2
  const gap = Math.abs(to.x - from.x) / Math.max(1, Math.abs(to.column - from.column)) - WIDTH
  if (to.column > from.column) {
    const start = from.x + WIDTH
    const bend = start + 34
    const path = `M${start} ${fromY} C${bend} ${fromY} ${start} ${toY} ${bend} ${toY} L${to.x - 2} ${toY}`
    return { path, x: to.x - gap / 2 + 4, y: toY }
  }
  if (to.column < from.column) {
    const end = to.x + WIDTH + 2
    const path = `M${from.x} ${fromY} C${from.x - 34} ${fromY} ${from.x} ${toY} ${from.x - 34} ${toY} L${end} ${toY}`
    return { path, x: to.x + WIDTH + gap / 2, y: toY }
  }
  // In one column: around the right side, past what may lie between.
  const side = from.x + WIDTH
  const path = `M${side} ${fromY} C${side + BEND} ${fromY} ${side + BEND} ${toY} ${side + 2} ${toY}`
  return { path, x: side + 34, y: (fromY + toY) / 2 }
}
