import { useDraggable, useDroppable } from '@dnd-kit/core'
import { Plus } from 'lucide-react'
import { memo, useCallback, useRef, type CSSProperties, type ReactNode } from 'react'
import { withQuery } from '#app/lib/url.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { formatProspectCount } from '../format.ts'
import { ProspectCard, type CardData } from './prospect-card.tsx'
import { StageHeader } from './stage-header.tsx'
import { pageSize, useVisibleRows } from './use-visible-rows.ts'

export type StageData = { id: number; name: string; color: string }

type ColumnProps = {
  stage: StageData
  cards: CardData[]
  boardUrl: string
  /** The cards of the last stage can be converted. */
  canConvert: boolean
  /** The drop position of the dragged card, not counting the card itself; null: in another stage. */
  dropIndex: number | null
  /** The dragged card, if it is of this stage. */
  draggedId: number | null
  /** The first card that is rendered without JavaScript. */
  from: number
  isFirst: boolean
  isLast: boolean
  onShift: (id: number, by: -1 | 1) => void
}

/** A stage with its cards. Only the visible rows of long lists are rendered. */
export const StageColumn = memo(function StageColumn({
  stage,
  cards,
  boardUrl,
  canConvert,
  dropIndex,
  draggedId,
  from,
  isFirst,
  isLast,
  onShift,
}: ColumnProps) {
  const list = useRef<HTMLUListElement | null>(null)
  const { setNodeRef: setDropRef } = useDroppable({ id: `stage ${stage.id}` })
  const listRef = useCallback(
    (element: HTMLUListElement | null) => {
      setDropRef(element)
      list.current = element
    },
    [setDropRef],
  )
  const { first, last, rowHeight } = useVisibleRows(list, cards.length, from, canConvert)
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: `column ${stage.id}` })
  const headingId = `stage-${stage.id}`
  return (
    <section
      ref={setNodeRef}
      className={`pcol h-full ${dropIndex === null ? '' : 'is-over'} ${isDragging ? 'opacity-60' : ''}`}
      aria-labelledby={headingId}
      data-stage={stage.id}
      data-dragged={isDragging || undefined}
    >
      <header {...listeners} className="flex touch-manipulation items-center gap-2 px-3.5 pb-2.5 pt-3">
        <StageHeader
          stage={stage}
          cards={cards}
          boardUrl={boardUrl}
          headingId={headingId}
          isFirst={isFirst}
          isLast={isLast}
          onShift={onShift}
        />
      </header>
      <CardList
        listRef={listRef}
        stage={stage}
        cards={cards}
        boardUrl={boardUrl}
        canConvert={canConvert}
        gapIndex={gapIndex(cards, dropIndex, draggedId)}
        first={first}
        last={last}
        rowHeight={rowHeight}
      />
      {(last < cards.length || from > 0) && (
        <PageLinks stageId={stage.id} first={first} last={last} count={cards.length} boardUrl={boardUrl} />
      )}
    </section>
  )
})

/** The index of the gap that shows the drop target, or null. The dragged card stays in the list and is counted here. */
function gapIndex(cards: CardData[], dropIndex: number | null, draggedId: number | null): number | null {
  const origin = draggedId === null ? -1 : cards.findIndex((card) => card.id === draggedId)
  if (dropIndex === null || dropIndex === origin) return null
  return dropIndex + (origin >= 0 && dropIndex > origin ? 1 : 0)
}

type CardListProps = {
  listRef: (element: HTMLUListElement | null) => void
  stage: StageData
  cards: CardData[]
  boardUrl: string
  canConvert: boolean
  gapIndex: number | null
  first: number
  last: number
  rowHeight: number
}

function CardList({
  listRef,
  stage,
  cards,
  boardUrl,
  canConvert,
  gapIndex: gap,
  first,
  last,
  rowHeight,
}: CardListProps) {
  return (
    <ul
      ref={listRef}
      aria-label={`${stage.name}, ${formatProspectCount(cards.length)}`}
      className="plist"
      data-list={stage.id}
    >
      {first > 0 && <Spacer height={first * rowHeight} />}
      {cards.slice(first, last).map((card, index) => (
        <WithGap key={card.id} height={gap === first + index ? rowHeight : null}>
          <ProspectCard
            card={card}
            boardUrl={boardUrl}
            canConvert={canConvert}
            index={first + index}
            count={cards.length}
          />
        </WithGap>
      ))}
      {gap !== null && gap >= last && <Gap height={rowHeight} />}
      {last < cards.length && <Spacer height={(cards.length - last) * rowHeight} />}
      <li className="pb-3">
        <Link
          to={withQuery(boardUrl, { dialog: 'add', stage: String(stage.id) })}
          preventScrollReset
          className="btn btn-ghost btn-sm justify-start"
        >
          <Plus className="i" />
          Add Prospect<span className="sr-only"> to {stage.name}</span>
        </Link>
      </li>
    </ul>
  )
}

function WithGap({ height, children }: { height: number | null; children: ReactNode }) {
  return (
    <>
      {height !== null && <Gap height={height} />}
      {children}
    </>
  )
}

function Gap({ height }: { height: number }) {
  return (
    <li aria-hidden="true" style={{ height }} className="pb-2.5">
      <div className="pslot h-full" />
    </li>
  )
}

/** Takes the room of the rows that are not rendered. */
function Spacer({ height }: { height: CSSProperties['height'] }) {
  return <li aria-hidden="true" style={{ height }} />
}

type PageLinksProps = { stageId: number; first: number; last: number; count: number; boardUrl: string }

function PageLinks({ stageId, first, last, count, boardUrl }: PageLinksProps) {
  const pageUrl = (from: number) => withQuery(boardUrl, { stage: String(stageId), from: String(from) })
  return (
    <noscript>
      <p className="flex justify-between px-3.5 pb-2 text-sm">
        {first > 0 && (
          <a className="link" href={pageUrl(Math.max(0, first - pageSize))}>
            Previous {pageSize}
          </a>
        )}
        {last < count && (
          <a className="link ml-auto" href={pageUrl(last)}>
            Next {Math.min(pageSize, count - last)} of {count}
          </a>
        )}
      </p>
    </noscript>
  )
}
