import importlib.util
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

PATH = Path(__file__).parents[1] / "solutions" / "previous_chapters.py"


@pytest.fixture(scope="module")
def blocks():
    spec = importlib.util.spec_from_file_location("blocks_under_test", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def random(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def attention(blocks, **changes):
    settings = {"num_heads": 3, "dropout": 0.0, "qkv_bias": True} | changes
    return blocks.MultiHeadAttention(12, 12, 8, **settings).double().eval()


@pytest.mark.parametrize("tokens", [1, 5, 8])
def test_attention_keeps_the_shape(blocks, tokens):
    assert attention(blocks)(random(2, tokens, 12)).shape == (2, tokens, 12)


def test_attention_may_change_the_width(blocks):
    module = blocks.MultiHeadAttention(6, 12, 8, num_heads=2, dropout=0.0)

    assert module(torch.ones(1, 3, 6)).shape == (1, 3, 12)


@pytest.mark.parametrize("position", [1, 4, 7])
def test_attention_is_causal(blocks, position):
    module = attention(blocks)
    x = random(2, 8, 12)
    changed = x.clone()
    changed[:, position] = random(2, 12, seed=1)

    difference = (module(x) - module(changed)).abs().amax(dim=(0, 2))

    assert (difference[:position] == 0).all()
    assert (difference[position:] > 1e-3).all()


def test_attention_agrees_with_torch(blocks):
    module = attention(blocks)
    x = random(2, 6, 12)
    heads = [layer(x).view(2, 6, 3, 4).transpose(1, 2) for layer in (module.W_query, module.W_key, module.W_value)]

    expected = module.out_proj(F.scaled_dot_product_attention(*heads, is_causal=True).transpose(1, 2).reshape(2, 6, 12))

    torch.testing.assert_close(module(x), expected, rtol=0, atol=1e-12)


def test_attention_drops_weights_only_in_training(blocks):
    module = attention(blocks, dropout=0.5)
    x = random(2, 8, 12)

    assert torch.equal(module(x), module(x))
    assert not torch.equal(module.train()(x), module(x))


@pytest.mark.parametrize("qkv_bias", [True, False])
def test_the_bias_of_the_projections_can_be_chosen(blocks, qkv_bias):
    module = attention(blocks, qkv_bias=qkv_bias)

    assert (module.W_query.bias is not None) == qkv_bias
    assert module.out_proj.bias is not None


def test_positional_heads_and_dropout_are_refused(blocks):
    with pytest.raises(TypeError, match="positional arguments"):
        blocks.MultiHeadAttention(12, 12, 8, 0.1, 3)


def test_a_width_that_the_heads_cannot_share_is_refused(blocks):
    with pytest.raises(ValueError, match="multiple of num_heads"):
        blocks.MultiHeadAttention(12, 12, 8, num_heads=5, dropout=0.0)


def test_the_norm_is_that_of_torch(blocks):
    norm = blocks.LayerNorm(6).double()
    with torch.no_grad():
        norm.scale.copy_(random(6, seed=1))
        norm.shift.copy_(random(6, seed=2))
    x = random(4, 3, 6) * 2 + 1

    expected = F.layer_norm(x, (6,), norm.scale, norm.shift, eps=1e-5)

    torch.testing.assert_close(norm(x), expected, rtol=0, atol=1e-12)


def test_the_norm_turns_a_constant_row_into_its_shift(blocks):
    norm = blocks.LayerNorm(4)

    assert torch.equal(norm(torch.full((2, 4), 3.0)), torch.zeros(2, 4))


def test_gelu_is_the_tanh_form(blocks):
    x = random(100) * 3

    torch.testing.assert_close(blocks.GELU()(x), F.gelu(x, approximate="tanh"), rtol=0, atol=1e-14)


def test_feed_forward_is_four_times_as_wide_inside(blocks):
    module = blocks.FeedForward({"emb_dim": 6})

    assert [tuple(p.shape) for p in module.parameters()] == [(24, 6), (24,), (6, 24), (6,)]
    assert module(torch.ones(2, 3, 6)).shape == (2, 3, 6)
