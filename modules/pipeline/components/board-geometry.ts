import type { CollisionDetection } from '@dnd-kit/core'

const defaultRowHeight = 102

export const findCardList = (stageId: number): HTMLElement | null => document.querySelector(`[data-list="${stageId}"]`)

const rowHeight = (list: HTMLElement): number =>
  list.querySelector<HTMLElement>('.pcard-place')?.offsetHeight || defaultRowHeight

/** The row of the list at the viewport's `y`. It may be negative, or after the last card. */
export function rowAt(list: HTMLElement, y: number): number {
  return Math.floor((y - list.getBoundingClientRect().top + list.scrollTop) / rowHeight(list))
}

/** Scrolls a row of a list into view and returns where it is in the viewport. */
export function revealRow(list: HTMLElement, index: number): { x: number; y: number } {
  const height = rowHeight(list)
  const top = index * height
  list.closest('.pcol')?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  if (top < list.scrollTop) list.scrollTop = top
  if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight
  const box = list.getBoundingClientRect()
  return { x: box.left + 10, y: box.top + top - list.scrollTop }
}

/** The number of columns left of the viewport's `x`, not counting the one that is dragged. */
export function columnIndexAt(board: HTMLElement | null, x: number): number {
  const columns = [...(board?.querySelectorAll('.pcol:not([data-dragged])') ?? [])]
  return columns.filter((column) => {
    const { left, width } = column.getBoundingClientRect()
    return left + width / 2 < x
  }).length
}

/** The column under the center of what is dragged, or the nearest one. */
export const nearestColumn: CollisionDetection = ({ collisionRect, droppableContainers, droppableRects }) => {
  const center = collisionRect.left + collisionRect.width / 2
  const columns = droppableContainers.flatMap(({ id }) => {
    const rect = droppableRects.get(id)
    return rect ? [{ id, distance: Math.max(rect.left - center, center - rect.right, 0) }] : []
  })
  const [nearest] = columns.sort((a, b) => a.distance - b.distance)
  return nearest ? [{ id: nearest.id }] : []
}
