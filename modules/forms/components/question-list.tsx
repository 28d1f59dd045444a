import { DndContext, useDraggable, type DragEndEvent, type DragMoveEvent } from '@dnd-kit/core'
import { useNavigate } from '@remix-run/react'
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { memo, useCallback, useEffect, useRef, useState, type FormEvent, type MouseEvent } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { IconButton } from '#app/ui/components/button.tsx'
import { useDragSensors } from '#app/ui/dnd/use-drag-sensors.ts'
import { useOptimisticMoves } from '#app/ui/dnd/use-optimistic-moves.ts'
import { useRevalidate } from '#app/ui/navigation/revalidate.ts'
import { useSame } from '#app/ui/use-same.ts'
import { clientFields, questionKinds, type Question } from '../fields.ts'
import { describeCondition } from '../format.ts'

type Move = { question: string; to: number }

const applyMove = (questions: Question[], { question, to }: Move): Question[] => {
  const moved = questions.find(({ id }) => id === question)
  return moved ? questions.filter((one) => one !== moved).toSpliced(to, 0, moved) : questions
}

type Props = { formId: number; questions: Question[]; toHref: (id: string) => string }

/** The questions of a form, in order: moved by mouse, by touch, or with the buttons of each. */
export function QuestionList({ formId, questions: loaded, toHref }: Props) {
  const revalidate = useRevalidate()
  const navigate = useNavigate()
  const { state: questions, move } = useOptimisticMoves<Question[], Move>(useSame(loaded), {
    apply: applyMove,
    toRequest: (body) => ({ method: 'POST', path: `/api/forms/${formId}/move-question`, body }),
    failureText: (_move, { message }) => message || 'The question could not be moved. Please try again.',
    revalidate,
  })
  const [dragged, setDragged] = useState<Move | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const focused = useRef<string | null>(null)
  const sensors = useDragSensors()

  // The button that was pressed moves with its question.
  useEffect(() => {
    if (!focused.current) return
    const [direction, id] = focused.current.split('-')
    const isUsable = (name: string) => document.querySelector<HTMLButtonElement>(`#${name}-${id}:enabled`)
    const button = isUsable(direction!) ?? isUsable(direction === 'up' ? 'down' : 'up')
    button?.focus()
    focused.current = null
  }, [questions])

  const moveTo = useCallback(
    (question: Question, to: number, buttonId: string | null) => {
      focused.current = buttonId
      setAnnouncement(`“${question.label}” is now number ${to + 1}.`)
      move({ question: question.id, to })
    },
    [move],
  )

  // One handler for all rows: a hundred of Remix's links would render with each navigation.
  function openQuestion(event: MouseEvent) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-row]') : null
    if (!link) return
    event.preventDefault()
    navigate(link.getAttribute('href')!, { preventScrollReset: true })
  }

  function onDragMove({ active }: DragMoveEvent) {
    const box = active.rect.current.translated
    if (!box || !list.current) return
    const to = findTarget(list.current, String(active.id), box.top + box.height / 2)
    setDragged((before) => (before?.to === to ? before : { question: String(active.id), to }))
  }

  function onDragEnd({ active }: DragEndEvent) {
    const target = dragged
    setDragged(null)
    const from = questions.findIndex(({ id }) => id === active.id)
    if (target && from >= 0 && target.to !== from) moveTo(questions[from]!, target.to, null)
  }

  const from = dragged ? questions.findIndex(({ id }) => id === dragged.question) : -1
  const gap = dragged && dragged.to !== from ? (dragged.to > from ? dragged.to + 1 : dragged.to) : null
  return (
    <DndContext
      id="questions"
      sensors={sensors}
      onDragMove={onDragMove}
      onDragEnd={onDragEnd}
      onDragCancel={() => setDragged(null)}
    >
      <p className="sr-only" aria-live="polite">
        {announcement}
      </p>
      <ol ref={list} className="rows" aria-label="Questions" onClick={openQuestion}>
        {questions.map((question, index) => (
          <Row
            key={question.id}
            formId={formId}
            question={question}
            condition={question.condition && describeCondition(question.condition, questions)}
            index={index}
            isLast={index === questions.length - 1}
            isBelowGap={gap === index}
            isAboveGap={gap === questions.length && index === questions.length - 1}
            href={toHref(question.id)}
            onMove={moveTo}
          />
        ))}
      </ol>
    </DndContext>
  )
}

/** The position among the others of a question whose middle is at `y`. */
function findTarget(list: HTMLElement, id: string, y: number): number {
  const others = [...list.children].filter((row) => row.getAttribute('data-id') !== id)
  const below = others.findIndex((row) => {
    const { top, height } = row.getBoundingClientRect()
    return y < top + height / 2
  })
  return below < 0 ? others.length : below
}

type RowProps = {
  formId: number
  question: Question
  condition: string | null
  index: number
  isLast: boolean
  isBelowGap: boolean
  isAboveGap: boolean
  href: string
  onMove: (question: Question, to: number, buttonId: string | null) => void
}

/** Rows off screen aren't styled: opening a dialog, which restyles the whole page, would style all of them again. */
const skipOffscreen = '[content-visibility:auto] [contain-intrinsic-height:auto_3.75rem]'

/** A question that can be dragged by its handle. */
const Row = memo(function Row({ isBelowGap, isAboveGap, ...content }: RowProps) {
  const { id } = content.question
  const { setNodeRef, listeners, transform, isDragging } = useDraggable({ id })
  const edge = isBelowGap
    ? 'shadow-[inset_0_2px_0_var(--brand)]'
    : isAboveGap
      ? 'shadow-[inset_0_-2px_0_var(--brand)]'
      : ''
  return (
    <li
      ref={setNodeRef}
      data-id={id}
      className={`${skipOffscreen} flex items-center gap-2 bg-surface py-2 pr-3 pl-2 ${edge} ${
        isDragging ? 'relative z-10 opacity-80' : ''
      }`}
      style={transform ? { transform: `translateY(${transform.y}px)` } : undefined}
    >
      <span {...listeners} className="cursor-grab touch-none p-2 text-ink-3" data-handle={id} aria-hidden="true">
        <GripVertical className="i" />
      </span>
      <RowContent {...content} />
    </li>
  )
})

/** On its own, since dnd-kit renders all rows when a drag begins or ends. */
const RowContent = memo(function RowContent(props: Omit<RowProps, 'isBelowGap' | 'isAboveGap'>) {
  const { formId, question, condition, index, isLast, href, onMove } = props
  const { id, kind, label, required, clientField } = question
  const [upId, downId] = [`up-${id}`, `down-${id}`]

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const isUp = submitter?.id === upId
    onMove(question, index + (isUp ? -1 : 1), isUp ? upId : downId)
  }

  return (
    <>
      <div className="min-w-0 flex-1">
        <a
          href={href}
          data-row=""
          className={`line-clamp-2 wrap-anywhere hover:underline ${kind === 'section' ? 'font-semibold' : 'font-medium'}`}
        >
          {label}
        </a>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-3">
          <span>{questionKinds[kind]}</span>
          {required && <span>Required</span>}
          {condition && <span className="min-w-0 wrap-anywhere">{condition}</span>}
          {clientField && <span>Proposed for: {clientFields[clientField].label}</span>}
        </p>
      </div>
      {question.options.length > 0 && kind === 'choice' && (
        <span className="max-sm:hidden">
          <Badge plain>{question.options.length}</Badge>
        </span>
      )}
      <form method="post" onSubmit={onSubmit} className="flex">
        <input type="hidden" name="intent" value="move" />
        <input type="hidden" name="id" value={formId} />
        <input type="hidden" name="question" value={id} />
        <IconButton
          id={upId}
          type="submit"
          name="to"
          value={index - 1}
          size="sm"
          icon={ArrowUp}
          label={`Move “${label}” up`}
          disabled={index === 0}
        />
        <IconButton
          id={downId}
          type="submit"
          name="to"
          value={index + 1}
          size="sm"
          icon={ArrowDown}
          label={`Move “${label}” down`}
          disabled={isLast}
        />
      </form>
    </>
  )
})
