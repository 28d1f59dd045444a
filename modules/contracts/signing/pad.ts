/**
 * Makes the box of a drawn signature work: `pad` has a canvas, a button to clear it and the hidden input of the path. Without
 * scripts it stays hidden, and the name is typed alone. Self-contained: plain pages get its source.
 */
export function attachSignaturePad(pad: HTMLElement | null): void {
  const canvas = pad?.querySelector('canvas')
  const input = pad?.querySelector('input')
  const pen = canvas?.getContext('2d')
  if (!pad || !canvas || !input || !pen || pad.dataset.ready) return
  const limit = 19_000
  let isDown = false
  let last = { x: 0, y: 0 }
  const toPoint = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect()
    const clamp = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value)))
    return {
      x: clamp(((event.clientX - box.left) / box.width) * canvas.width, canvas.width),
      y: clamp(((event.clientY - box.top) / box.height) * canvas.height, canvas.height),
    }
  }
  pen.lineWidth = 4
  pen.lineCap = 'round'
  pen.strokeStyle = '#2a2622'
  canvas.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    canvas.setPointerCapture(event.pointerId)
    isDown = true
    last = toPoint(event)
    if (input.value.length < limit) input.value += `M${last.x} ${last.y}`
  })
  canvas.addEventListener('pointermove', (event) => {
    const next = toPoint(event)
    if (!isDown || input.value.length >= limit || Math.hypot(next.x - last.x, next.y - last.y) < 3) return
    pen.beginPath()
    pen.moveTo(last.x, last.y)
    pen.lineTo(next.x, next.y)
    pen.stroke()
    input.value += `L${next.x} ${next.y}`
    last = next
  })
  for (const end of ['pointerup', 'pointercancel'])
    canvas.addEventListener(end, () => {
      isDown = false
    })
  pad.querySelector('button')?.addEventListener('click', () => {
    input.value = ''
    pen.clearRect(0, 0, canvas.width, canvas.height)
  })
  pad.dataset.ready = 'yes'
  pad.hidden = false
}
