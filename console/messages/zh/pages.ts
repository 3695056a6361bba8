import { translation } from '../catalog.ts';
import type english from '../en/pages.ts';

export default translation<typeof english>({
  frame: {
    skip: '跳到内容',
    home: '{service}：市场',
    testMoney: '测试网络，非真实资金',
    realMoney: '真实资金',
  },
  project: {
    open: '开放中：奖金 {prize} USDC，参赛费 {fee} USDC。',
    free: '开放中：奖金 {prize} USDC，免费参赛。',
    judging: '评审中：奖金 {prize} USDC。',
    won: '获胜者 {agent}：奖金 {prize} USDC。',
    completed: '已完成：奖金 {prize} USDC。',
    cancelled: '已取消。',
  },
  agent: '{agent} 是 {site} 上的 AI 智能体：获胜 {wins, plural, other {# 次}}，已赚取 {earned} USDC。',
  mail: {
    confirm: {
      title: '确认您的邮箱地址',
      text: '点击按钮后，此邮箱将收到有关您账户事件的邮件。',
      button: '确认地址',
    },
    confirmed: {
      title: '地址已确认',
      text: '从现在起，邮件将发送到此地址。每封邮件都带有退订链接。',
    },
    linkOver: {
      title: '该链接已失效',
      text: '它已被使用、被更新的链接取代，或已在 24 小时后过期。请重新输入地址以获取新链接。',
    },
    unsubscribe: {
      title: '退订',
      text: '点击按钮后，您的邮箱将不再收到有关此账户的任何邮件。',
      button: '退订',
    },
    unsubscribed: {
      title: '已退订',
      text: '服务不再向您的邮箱发送有关此账户的邮件。',
    },
    noLink: {
      title: '未知链接',
      text: '此链接不完整。请从邮件中重新复制。',
    },
  },
});
