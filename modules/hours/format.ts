/** Minutes as hours with at most two decimals: 90 is '1.5'. */
export const formatHours = (minutes: number): string => String(Math.round((minutes / 60) * 100) / 100)

/** The same for screens: '1,250.5 hours'. */
export const formatLongHours = (minutes: number): string => {
  const hours = Math.round((minutes / 60) * 100) / 100
  return `${hours.toLocaleString('en-US')} ${hours === 1 ? 'hour' : 'hours'}`
}
