import {
  DndContext,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
  type Announcements,
  type CollisionDetection,
  type DragEndEvent,
  type DragMoveEvent,
  type DragStartEvent,
  type KeyboardCoordinateGetter,
} from '@dnd-kit/core'
import { useCallback, useId, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Pencil, Trash2, History } from 'lucide-react'
import { MenuSign, useRowMenu } from '#app/ui/components/row-menu.tsx'
import { andMore, LiftedCard, type CardData } from './prospect-card.tsx'
import { StageColumn, type StageData } from './stage-column.tsx'
import type { Columns } from './use-optimistic-moves.ts'

type Board = {
  stages: StageData[]
  columns: Columns
  here: string
  /** Before scripts: the stage whose list begins at `from`. */
  begins: { stage: number; from: number }
  onMove: (card: CardData, stageId: number, index: number) => void
  onReorder: (ids: number[]) => void
}
/** Where the card in the hand would land: the place counts without the card itself. */
type Target = { stageId: number; index: number }
type InHand = { kind: 'prospect'; card: CardData } | { kind: 'column'; id: number } | null

/** The columns, and what is moved between them by mouse, touch and keyboard. */
export function Board({ stages, columns, here, begins, onMove, onReorder }: Board) {
  const [inHand, setInHand] = useState<InHand>(null)
  const [target, setTarget] = useState<Target | null>(null)
  const [order, setOrder] = useState<number[] | null>(null)
  const now = useRef({ stages, columns, inHand, target, order, moved: false })
  now.current = { stages, columns, inHand, target, order, moved: now.current.moved }
  const board = useRef<HTMLDivElement>(null)
  const shown = useMemo(
    () => (order ? order.map((id) => stages.find((stage) => stage.id === id)!).filter(Boolean) : stages),
    [order, stages],
  )
  const { handlers, menu } = useRowMenu(
    useMemo(() => [...columns.values()].flat(), [columns]),
    ({ id }) => [
      { label: 'Edit Prospect', icon: Pencil, to: andMore(here, { dialog: 'edit', prospect: String(id) }) },
      { label: 'History', icon: History, to: `/history/prospect/${id}` },
      'line',
      {
        label: 'Delete Prospect',
        icon: Trash2,
        to: andMore(here, { dialog: 'delete', prospect: String(id) }),
        danger: true,
      },
    ],
  )

  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 3 } }),
    // A finger that only scrolls is gone before that.
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
    useSensor(KeyboardSensor, {
      // Enter opens the card, as it does every link.
      keyboardCodes: { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter'] },
      coordinateGetter: useCallback<KeyboardCoordinateGetter>(
        (event, { currentCoordinates }) => byArrow(event, currentCoordinates),
        [],
      ),
    }),
  )

  /** What is in the hand goes one place further: answers where that is on the screen. */
  function byArrow(event: KeyboardEvent, at: { x: number; y: number }): { x: number; y: number } | undefined {
    const { stages: all, columns: lists, inHand: held, target: place } = now.current
    const [across, down] = [
      { ArrowLeft: -1, ArrowRight: 1 }[event.code] ?? 0,
      { ArrowUp: -1, ArrowDown: 1 }[event.code] ?? 0,
    ]
    if (held?.kind !== 'prospect' || !place || (!across && !down)) return undefined
    event.preventDefault()
    const column = all.findIndex(({ id }) => id === place.stageId) + across
    const stage = all[column]
    if (!stage) return at
    const others = (lists.get(stage.id) ?? []).filter(({ id }) => id !== held.card.id).length
    const index = Math.min(Math.max(place.index + down, 0), others)
    const list = listOf(stage.id)
    if (!list) return at
    const top = { index, row: rowOf(list) }
    // The place comes into view before the card goes there.
    list.closest('.pcol')?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    const wanted = top.index * top.row
    if (wanted < list.scrollTop) list.scrollTop = wanted
    if (wanted + top.row > list.scrollTop + list.clientHeight) list.scrollTop = wanted + top.row - list.clientHeight
    aim({ stageId: stage.id, index })
    const box = list.getBoundingClientRect()
    return { x: box.left + 10, y: box.top + wanted - list.scrollTop }
  }

  function aim(next: Target) {
    const before = now.current.target
    if (before && before.stageId === next.stageId && before.index === next.index) return
    now.current.target = next
    now.current.moved = true
    setTarget(next)
  }

  function onDragStart({ active }: DragStartEvent) {
    const [kind, id] = parted(active.id)
    if (kind === 'column') return hold({ kind, id }, null)
    for (const [stageId, cards] of now.current.columns) {
      const index = cards.findIndex((card) => card.id === id)
      if (index >= 0) return hold({ kind: 'prospect', card: cards[index]! }, { stageId, index })
    }
  }

  function hold(held: InHand, place: Target | null) {
    now.current.inHand = held
    now.current.target = place
    now.current.moved = false
    setInHand(held)
    setTarget(place)
  }

  function onDragMove({ active, over, activatorEvent }: DragMoveEvent) {
    const { inHand: held, stages: all, columns: lists } = now.current
    const box = active.rect.current.translated
    if (!held || !box || !over) return
    const [, overId] = parted(over.id)
    if (held.kind === 'column') {
      const ids = (now.current.order ?? all.map(({ id }) => id)).filter((id) => id !== held.id)
      const at = all.length ? columnAt(board.current, box.left + box.width / 2) : 0
      ids.splice(at, 0, held.id)
      if (ids.join() !== (now.current.order ?? all.map(({ id }) => id)).join()) setOrder(ids)
      return
    }
    // By keyboard the place is known; the card follows it.
    if (activatorEvent instanceof KeyboardEvent) return
    const list = listOf(overId)
    const cards = lists.get(overId)
    if (!list || !cards) return
    const raw = Math.floor((box.top + box.height / 2 - list.getBoundingClientRect().top + list.scrollTop) / rowOf(list))
    const origin = cards.findIndex(({ id }) => id === held.card.id)
    const others = cards.length - (origin >= 0 ? 1 : 0)
    aim({ stageId: overId, index: Math.min(Math.max(origin >= 0 && raw > origin ? raw - 1 : raw, 0), others) })
  }

  function onDragEnd({ over }: DragEndEvent) {
    const { inHand: held, target: place, columns: lists, order: wanted, stages: all } = now.current
    hold(null, null)
    setOrder(null)
    if (held?.kind === 'column' && wanted && wanted.join() !== all.map(({ id }) => id).join()) onReorder(wanted)
    if (held?.kind !== 'prospect' || !place || !over) return
    const origin = lists.get(place.stageId)?.findIndex(({ id }) => id === held.card.id)
    if (origin !== place.index) onMove(held.card, place.stageId, place.index)
  }

  const onShift = useCallback(
    (id: number, by: -1 | 1) => {
      const ids = now.current.stages.map((stage) => stage.id)
      const at = ids.indexOf(id)
      ids.splice(at, 1)
      ids.splice(at + by, 0, id)
      onReorder(ids)
    },
    [onReorder],
  )

  const last = useRef('')
  const dropped = useRef('')
  const said = useCallback((): string => {
    const { inHand: held, target: place, stages: all, columns: lists } = now.current
    // A move that is told after the drop says nothing new.
    if (held?.kind !== 'prospect' || !place) return last.current
    const others = (lists.get(place.stageId) ?? []).filter(({ id }) => id !== held.card.id).length
    const stage = all.find(({ id }) => id === place.stageId)
    return `${held.card.name} is ${now.current.moved ? 'over' : 'picked up in'} ${stage?.name ?? ''}, position ${place.index + 1} of ${others + 1}. Space to drop, Escape to cancel.`
  }, [])
  const announcements = useMemo<Announcements>(
    () => ({
      onDragStart: ({ active }) => (parted(active.id)[0] === 'column' ? 'Stage picked up.' : said()),
      onDragMove: said,
      onDragOver: said,
      onDragEnd: () => (last.current = dropped.current),
      onDragCancel: () => (last.current = 'Nothing was moved.'),
    }),
    [said],
  )
  if (inHand?.kind === 'prospect' && target) {
    dropped.current = `${inHand.card.name} was dropped in ${stages.find(({ id }) => id === target.stageId)?.name ?? ''}, position ${target.index + 1}.`
  }

  return (
    <div {...handlers}>
      <MenuSign />
      <DndContext
        id={useId()}
        sensors={sensors}
        collisionDetection={byColumn}
        accessibility={{
          announcements,
          screenReaderInstructions: {
            draggable: 'Press Space to pick up, the arrow keys to move, Space to drop, Escape to cancel.',
          },
        }}
        onDragStart={onDragStart}
        onDragMove={onDragMove}
        onDragEnd={onDragEnd}
        onDragCancel={() => {
          hold(null, null)
          setOrder(null)
        }}
      >
        <div
          ref={board}
          className="pboard"
          role="group"
          aria-label="Stages"
          data-moving={inHand ? inHand.kind : undefined}
        >
          {shown.map((stage, at) => (
            <StageColumn
              key={stage.id}
              stage={stage}
              cards={columns.get(stage.id) ?? none}
              here={here}
              converts={stage === stages.at(-1)}
              slot={target?.stageId === stage.id ? target.index : null}
              lifted={inHand?.kind === 'prospect' && inHand.card.stageId === stage.id ? inHand.card.id : null}
              from={begins.stage === stage.id ? begins.from : 0}
              isFirst={at === 0}
              isLast={at === shown.length - 1}
              onShift={onShift}
            />
          ))}
        </div>
        <Overlay>
          {inHand?.kind === 'prospect' && <LiftedCard card={inHand.card} here={here} converts={false} />}
          {inHand?.kind === 'column' && <LiftedColumn name={stages.find(({ id }) => id === inHand.id)?.name ?? ''} />}
        </Overlay>
      </DndContext>
      {menu}
    </div>
  )
}

const none: CardData[] = []

/** Above everything, and in nothing that scrolls. */
function Overlay({ children }: { children: React.ReactNode }) {
  const overlay = <DragOverlay dropAnimation={null}>{children}</DragOverlay>
  return typeof document === 'undefined' ? null : createPortal(overlay, document.body)
}

function LiftedColumn({ name }: { name: string }) {
  return (
    <div className="pcol is-dragging">
      <div className="px-3.5 py-3 font-semibold">{name}</div>
    </div>
  )
}

/** 'prospect 12' → what it is, and its id. */
function parted(id: string | number): [string, number] {
  const [kind = '', number] = String(id).split(' ')
  return [kind, Number(number)]
}

const listOf = (stageId: number): HTMLElement | null => document.querySelector(`[data-list="${stageId}"]`)
const rowOf = (list: HTMLElement): number => list.querySelector<HTMLElement>('.pcard-place')?.offsetHeight || 102

/** The column that the middle of what is in the hand is over, or the nearest. */
const byColumn: CollisionDetection = ({ collisionRect, droppableContainers, droppableRects }) => {
  const middle = collisionRect.left + collisionRect.width / 2
  const away = droppableContainers.flatMap(({ id }) => {
    const rect = droppableRects.get(id)
    return rect ? [{ id, distance: Math.max(rect.left - middle, middle - rect.right, 0) }] : []
  })
  const [nearest] = away.sort((a, b) => a.distance - b.distance)
  return nearest ? [{ id: nearest.id }] : []
}

/** How many columns have their middle left of `x`. */
function columnAt(board: HTMLElement | null, x: number): number {
  const columns = [...(board?.querySelectorAll('.pcol') ?? [])].filter(
    (column) => !column.classList.contains('opacity-60'),
  )
  return columns.filter((column) => {
    const { left, width } = column.getBoundingClientRect()
    return left + width / 2 < x
  }).length
}
