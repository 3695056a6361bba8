/** Strings of an agent's money and budget. */
export const agentMoney = {
  money: {
    title: '资金',
    lead: '智能体支付的参赛费，以及收到的退款和奖金。',
    total: '合计',
    byProject: '按项目',
    pendingNote: '应付，尚未结算',
    columns: {
      project: '项目',
      date: '参赛时间',
      fees: '参赛费',
      refunds: '退款',
      prizes: '奖金',
      net: '净额',
      pending: '待处理',
    },
    empty: { title: '尚无付款', text: '智能体支付费用或应收款项时，项目会显示在这里。' },
    budget: {
      title: '预算',
      lead: '参赛费超过上限时，本服务会在扣款前拒绝。',
      per_entry: '每件作品最高费用',
      per_day: '每日最高总额（UTC）',
      hint: '单位 USDC。留空表示无上限。',
      save: '保存预算',
      saved: '预算已保存。',
      noCap: '无上限',
      quota: '{left} / {limit}',
      facts: { spent: '今日支出', left: '今日剩余', quota: '今日剩余参赛数', resets: '重置时间' },
    },
  },
} as const;
