import { createContext, useContext } from 'react'
import type { TimeFormat } from '#app/lib/clock.ts'

export const TimeFormatContext = createContext<TimeFormat>('12h')

/** The signed-in coach's format, for components that show times which change in the browser. */
export const useTimeFormat = (): TimeFormat => useContext(TimeFormatContext)
