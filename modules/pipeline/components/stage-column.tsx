import { useDraggable, useDroppable } from '@dnd-kit/core'
import { ArrowLeft, ArrowRight, Ellipsis, History, Pencil, Plus, Trash2 } from 'lucide-react'
import { memo, useEffect, useRef, useState, type RefObject } from 'react'
import { Link } from '#app/ui/navigation/link.tsx'
import { Menu } from '#app/ui/components/menu.tsx'
import { aboutDollars, dollarsOf, prospectsOf, weighted } from '../format.ts'
import { andMore, ProspectCard, type CardData } from './prospect-card.tsx'

export type StageData = { id: number; name: string; color: string }

type Column = {
  stage: StageData
  cards: CardData[]
  here: string
  /** The last displayed stage: its cards can be converted. */
  converts: boolean
  /** Where the card in the hand would land; null: elsewhere. */
  slot: number | null
  /** The card in the hand, while it is one of this stage. */
  lifted: number | null
  /** Where the list begins, before scripts have loaded. */
  from: number
  isFirst: boolean
  isLast: boolean
  onShift: (id: number, by: -1 | 1) => void
}

/** A stage and its cards. Of long lists only what is near the window is there: a thousand cards stay light. */
export const StageColumn = memo(function StageColumn({
  stage,
  cards,
  here,
  converts,
  slot,
  lifted,
  from,
  isFirst,
  isLast,
  onShift,
}: Column) {
  const { id, name, color } = stage
  const list = useRef<HTMLUListElement>(null)
  const { first, last, row } = useWindow(list, cards.length, from, converts)
  const { setNodeRef: setDrop } = useDroppable({ id: `stage ${id}` })
  const { setNodeRef: setDrag, listeners, isDragging } = useDraggable({ id: `column ${id}` })
  const shown = cards.slice(first, last)
  const head = `stage-${id}`
  // `slot` counts without the lifted card, whose own place stays visible as it is.
  const origin = lifted === null ? -1 : cards.findIndex((card) => card.id === lifted)
  const slotAt = slot === null || slot === origin ? null : slot + (origin >= 0 && slot > origin ? 1 : 0)

  return (
    <section
      ref={setDrag}
      className={`pcol h-full ${slot === null ? '' : 'is-over'} ${isDragging ? 'opacity-60' : ''}`}
      aria-labelledby={head}
      data-stage={id}
    >
      <header {...listeners} className="flex touch-manipulation items-center gap-2 px-3.5 pb-2.5 pt-3">
        <span className="dot" style={{ '--c': color } as React.CSSProperties} />
        <h2 id={head} className="min-w-0 truncate font-semibold" title={name}>
          {name}
        </h2>
        <span className="num text-sm text-ink-3">
          {cards.length.toLocaleString('en-US')}
          <span className="sr-only"> {cards.length === 1 ? 'prospect' : 'prospects'}</span>
        </span>
        <span className="ml-auto grid justify-items-end text-sm leading-4 text-ink-3">
          <span className="num">{dollarsOf(cards.reduce((sum, card) => sum + card.value, 0))}</span>
          <span className="num text-2xs">{aboutDollars(weighted(cards))} weighted</span>
        </span>
        <span
          role="presentation"
          onMouseDown={(event) => event.stopPropagation()}
          onTouchStart={(event) => event.stopPropagation()}
        >
          <Menu
            label={`Actions for ${name}`}
            className="btn btn-ghost btn-sm btn-icon -mr-2"
            entries={[
              {
                label: 'Edit Stage',
                icon: Pencil,
                to: andMore(here, { dialog: 'edit-stage', stage: String(id) }),
                preventScrollReset: true,
              },
              ...(isFirst ? [] : [{ label: 'Move left', icon: ArrowLeft, onSelect: () => onShift(id, -1) }]),
              ...(isLast ? [] : [{ label: 'Move right', icon: ArrowRight, onSelect: () => onShift(id, 1) }]),
              { label: 'History', icon: History, to: `/history/pipeline_stage/${id}` },
              'line',
              {
                label: 'Delete Stage',
                icon: Trash2,
                to: andMore(here, { dialog: 'delete-stage', stage: String(id) }),
                danger: true,
                preventScrollReset: true,
              },
            ]}
          >
            <Ellipsis className="i" />
          </Menu>
        </span>
      </header>
      <ul
        ref={(element) => {
          setDrop(element)
          ;(list as { current: HTMLUListElement | null }).current = element
        }}
        aria-label={`${name}, ${prospectsOf(cards.length)}`}
        className="plist"
        data-list={id}
      >
        {first > 0 && <li aria-hidden="true" style={{ height: first * row }} />}
        {shown.map((card, at) => (
          <Slotted key={card.id} here={slotAt === first + at} row={row}>
            <ProspectCard card={card} here={here} converts={converts} at={first + at} of={cards.length} />
          </Slotted>
        ))}
        {slotAt !== null && slotAt >= first + shown.length && <Slot row={row} />}
        {last < cards.length && <li aria-hidden="true" style={{ height: (cards.length - last) * row }} />}
        <li className="pb-3">
          <Link
            to={andMore(here, { dialog: 'add', stage: String(id) })}
            preventScrollReset
            className="btn btn-ghost btn-sm justify-start"
          >
            <Plus className="i" />
            Add Prospect<span className="sr-only"> to {name}</span>
          </Link>
        </li>
      </ul>
      {(last < cards.length || from > 0) && (
        <noscript>
          <p className="flex justify-between px-3.5 pb-2 text-sm">
            {first > 0 && (
              <a className="link" href={andMore(here, { stage: String(id), from: String(Math.max(0, first - chunk)) })}>
                Previous {chunk}
              </a>
            )}
            {last < cards.length && (
              <a className="link ml-auto" href={andMore(here, { stage: String(id), from: String(last) })}>
                Next {Math.min(chunk, cards.length - last)} of {cards.length}
              </a>
            )}
          </p>
        </noscript>
      )}
    </section>
  )
})

function Slotted({ here, row, children }: { here: boolean; row: number; children: React.ReactNode }) {
  return (
    <>
      {here && <Slot row={row} />}
      {children}
    </>
  )
}

function Slot({ row }: { row: number }) {
  return (
    <li aria-hidden="true" style={{ height: row }} className="pb-2.5">
      <div className="pslot h-full" />
    </li>
  )
}

/** How many cards come from the server, and the height of one with the gap below it, until it is measured. */
const chunk = 12
const usualRow = { card: 102, converting: 144 }
/** Rows above and below the window that are there too. */
const margin = 4

/**
 * Which of `count` cards are there: those in the window of the list and a few around it. All cards of a stage have one
 * height, `row`, measured on the first of them.
 */
function useWindow(list: RefObject<HTMLUListElement | null>, count: number, from: number, converting: boolean) {
  const [row, setRow] = useState(converting ? usualRow.converting : usualRow.card)
  const [span, setSpan] = useState({ first: from, last: from + chunk })
  const some = count > 0

  useEffect(() => {
    const element = list.current
    if (!element) return
    let height = converting ? usualRow.converting : usualRow.card
    const look = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / height) - margin)
      const last = Math.ceil((element.scrollTop + element.clientHeight) / height) + margin
      setSpan((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    // It is told after the browser has laid out the page: asking for a height would make it do so once more.
    const sizes = new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of entries)
        if (target !== element) height = borderBoxSize[0]?.blockSize || height
      setRow(height)
      look()
    })
    const watch = () => {
      const card = element.querySelector('.pcard-place')
      sizes.disconnect()
      for (const one of [element, card]) if (one) sizes.observe(one)
    }
    watch()
    element.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', watch)
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
      window.removeEventListener('resize', watch)
    }
  }, [list, some, converting])

  const first = Math.min(span.first, Math.max(0, count - 1))
  return { first, last: Math.min(count, Math.max(span.last, first + 1)), row }
}
