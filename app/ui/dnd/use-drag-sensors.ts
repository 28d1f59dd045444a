import {
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
  type KeyboardSensorOptions,
} from '@dnd-kit/core'

const mouse = { activationConstraint: { distance: 3 } }
// The delay leaves swipes to scrolling.
const touch = { activationConstraint: { delay: 220, tolerance: 8 } }

/** For DndContext: drags by mouse and touch, and with dnd-kit's keyboard sensor if `keyboard` is given. */
export function useDragSensors(keyboard?: KeyboardSensorOptions) {
  const keyboardSensor = useSensor(KeyboardSensor, keyboard)
  return useSensors(useSensor(MouseSensor, mouse), useSensor(TouchSensor, touch), keyboard ? keyboardSensor : null)
}
