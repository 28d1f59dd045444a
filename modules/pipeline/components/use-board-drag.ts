import type { DragMoveEvent, DragStartEvent, KeyboardCoordinateGetter } from '@dnd-kit/core'
import { useCallback, useMemo, useRef, useState, type RefObject } from 'react'
import { useDragSensors } from '#app/ui/dnd/use-drag-sensors.ts'
import { columnIndexAt, findCardList, revealRow, rowAt } from './board-geometry.ts'
import type { CardData } from './prospect-card.tsx'
import type { StageData } from './stage-column.tsx'
import type { Columns } from './use-optimistic-moves.ts'

/** A drop position. `index` doesn't count the card itself. */
export type DropTarget = { stageId: number; index: number }
export type CardDrag = { kind: 'prospect'; card: CardData; target: DropTarget; hasMoved: boolean }
/** `order`: the ids of all stages if the column were dropped now. */
export type ColumnDrag = { kind: 'column'; stageId: number; order: number[] }
export type BoardSnapshot = {
  stages: StageData[]
  columns: Columns
  drag: CardDrag | ColumnDrag | null
  lastDrop: CardDrag | ColumnDrag | null
}

type Options = {
  board: RefObject<HTMLElement>
  stages: StageData[]
  columns: Columns
  onMove: (card: CardData, stageId: number, index: number) => void
  onReorder: (ids: number[]) => void
}

/** The drag in progress, of a card or a column, and the handlers and sensors for DndContext. */
export function useBoardDrag({ board, stages, columns, onMove, onReorder }: Options) {
  const [drag, setDragState] = useState<BoardSnapshot['drag']>(null)
  const snapshot = useRef<BoardSnapshot>({ stages, columns, drag, lastDrop: null })
  snapshot.current = { ...snapshot.current, stages, columns, drag }

  // dnd-kit can report several events before the next render.
  const setDrag = useCallback((next: BoardSnapshot['drag']) => {
    snapshot.current = { ...snapshot.current, drag: next }
    setDragState(next)
  }, [])
  const sensors = useDragSensors(useKeyboard(snapshot, setDrag))

  function onDragStart({ active }: DragStartEvent) {
    setDrag(startDrag(String(active.id), snapshot.current))
  }

  function onDragMove({ active, over, activatorEvent }: DragMoveEvent) {
    const { drag: current, columns: lists } = snapshot.current
    const box = active.rect.current.translated
    if (!current || !box || !over) return
    if (current.kind === 'column') return setDrag(moveColumn(current, columnIndexAt(board.current, center(box).x)))
    // The keyboard sensor has set the target already.
    if (activatorEvent instanceof KeyboardEvent) return
    const stageId = parseDragId(String(over.id)).id
    const target = targetAt(current.card, stageId, lists, center(box).y)
    if (target) setDrag(moveCard(current, target))
  }

  function onDragEnd({ over }: { over: unknown }) {
    const { drag: dropped, columns: lists } = snapshot.current
    setDrag(null)
    snapshot.current.lastDrop = dropped
    if (dropped?.kind === 'column' && !isSameOrder(dropped.order, stages)) onReorder(dropped.order)
    if (dropped?.kind !== 'prospect' || !over) return
    const { card, target } = dropped
    const origin = lists.get(target.stageId)?.findIndex(({ id }) => id === card.id)
    if (origin !== target.index) onMove(card, target.stageId, target.index)
  }

  return { drag, snapshot, sensors, onDragStart, onDragMove, onDragEnd, onDragCancel: () => setDrag(null) }
}

/** Space picks up and drops, so that Enter opens the card like any link. */
const keyboardCodes = { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter'] }

function useKeyboard(snapshot: { readonly current: BoardSnapshot }, setDrag: (drag: CardDrag) => void) {
  return useMemo(() => {
    const coordinateGetter: KeyboardCoordinateGetter = (event, { currentCoordinates }) => {
      const { drag, stages, columns } = snapshot.current
      if (drag?.kind !== 'prospect') return undefined
      const target = targetByKey(event.code, drag, stages, columns)
      if (target === undefined) return undefined
      event.preventDefault()
      const list = target && findCardList(target.stageId)
      if (!target || !list) return currentCoordinates
      setDrag(moveCard(drag, target))
      return revealRow(list, target.index)
    }
    return { keyboardCodes, coordinateGetter }
  }, [snapshot, setDrag])
}

/** The next target; undefined for other keys, null if there is no stage on that side. */
function targetByKey(
  code: string,
  { card, target }: CardDrag,
  stages: StageData[],
  columns: Columns,
): DropTarget | null | undefined {
  const across = { ArrowLeft: -1, ArrowRight: 1 }[code] ?? 0
  const down = { ArrowUp: -1, ArrowDown: 1 }[code] ?? 0
  if (!across && !down) return undefined
  const stage = stages[stages.findIndex(({ id }) => id === target.stageId) + across]
  if (!stage) return null
  const others = (columns.get(stage.id) ?? []).filter(({ id }) => id !== card.id)
  return { stageId: stage.id, index: clamp(target.index + down, 0, others.length) }
}

function targetAt(card: CardData, stageId: number, columns: Columns, y: number): DropTarget | null {
  const list = findCardList(stageId)
  const cards = columns.get(stageId)
  if (!list || !cards) return null
  const row = rowAt(list, y)
  const origin = cards.findIndex(({ id }) => id === card.id)
  const others = cards.length - (origin >= 0 ? 1 : 0)
  return { stageId, index: clamp(origin >= 0 && row > origin ? row - 1 : row, 0, others) }
}

function startDrag(dragId: string, { stages, columns }: BoardSnapshot): BoardSnapshot['drag'] {
  const { kind, id } = parseDragId(dragId)
  if (kind === 'column') return { kind, stageId: id, order: stages.map((stage) => stage.id) }
  for (const [stageId, cards] of columns) {
    const index = cards.findIndex((card) => card.id === id)
    if (index >= 0) return { kind: 'prospect', card: cards[index]!, target: { stageId, index }, hasMoved: false }
  }
  return null
}

function moveCard(drag: CardDrag, target: DropTarget): CardDrag {
  const isSame = drag.target.stageId === target.stageId && drag.target.index === target.index
  return isSame ? drag : { ...drag, target, hasMoved: true }
}

function moveColumn(drag: ColumnDrag, index: number): ColumnDrag {
  const order = drag.order.filter((id) => id !== drag.stageId)
  order.splice(index, 0, drag.stageId)
  return order.join() === drag.order.join() ? drag : { ...drag, order }
}

/** 'prospect 12' or 'column 3', the ids that the cards and columns have in dnd-kit. */
function parseDragId(dragId: string): { kind: string; id: number } {
  const [kind = '', id] = dragId.split(' ')
  return { kind, id: Number(id) }
}

const isSameOrder = (ids: number[], stages: StageData[]): boolean => ids.join() === stages.map(({ id }) => id).join()

const center = ({ left, top, width, height }: { left: number; top: number; width: number; height: number }) => ({
  x: left + width / 2,
  y: top + height / 2,
})

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)
